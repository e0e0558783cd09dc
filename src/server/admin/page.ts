import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { createIsHttps, isFromThisComputer } from '#server/http/caller.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Env, Services } from '#server/services/services.ts';
import type { MayOpen } from './rights.tsx';
import type { Access, Role } from './roles.ts';

export interface StaffMember {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** An entry of the navigation. */
export interface Section {
  readonly name: string;
  readonly path: string;
  /** Whether there is space above it. */
  readonly beginsGroup?: boolean;
}

export interface AdminEnv extends Env {
  Variables: Env['Variables'] & {
    /** Undefined on pages with access 'anyone'. */
    staff: StaffMember | undefined;
    /** Set for every POST. */
    form: FormData;
    /** The sections that have a page. */
    sections: readonly Section[];
    /** Whether the staff member may open an address. */
    mayOpen: MayOpen;
    /** Makes the idempotency key of a form. */
    formKey: () => string;
  };
}

export type AdminContext = Context<AdminEnv>;

/** A page, or the target of a form. `app/admin-pages.tsx` lists all of them. */
export interface AdminPage {
  readonly method: 'GET' | 'POST';
  /** Below /admin; '/' is the home page. `:name` is a parameter. */
  readonly path: string;
  readonly access: Access;
  /** Whether its form also needs the staff member's password. */
  readonly asksPassword?: true;
  /** The size limit of its form, in bytes; 64 KiB by default. */
  readonly maxFormBytes?: number;
  readonly handle: (context: AdminContext, services: Services) => Response | Promise<Response>;
}

/** Returns the signed-in staff member. @throws on a page with access 'anyone' */
export function staffOf(context: AdminContext): StaffMember {
  const staff = context.get('staff');
  if (!staff) throw new Error('A page with access for anyone needs a signed-in staff member.');
  return staff;
}

/** Refuses plain http, except on this computer: others in the network could read passwords and cookies. */
export function requireHttps({ settings }: Services) {
  const isHttps = createIsHttps(settings.trustedProxies);
  return createMiddleware<AdminEnv>(async (context, next) => {
    if (!isHttps(context) && !isFromThisComputer(context)) {
      const text =
        'The admin opens over https only, or at http://localhost on the computer that runs it. Behind a proxy that ends https, set TRUST_PROXY to its address and let it send X-Forwarded-Proto.';
      throw new Refusal(403, text);
    }
    await next();
  });
}

/** Whether cookies get the `Secure` attribute. */
export const isSecure = (context: AdminContext, { apiOrigin }: Services): boolean =>
  apiOrigin.startsWith('https:') || !isFromThisComputer(context);
