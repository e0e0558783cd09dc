import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { createIsHttps, isFromThisComputer } from '#server/http/client-address.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Env, Services } from '#server/services/services.ts';
import type { Access, Role } from './roles.ts';

/** Somebody who is signed in. */
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
  readonly access: Access;
}

export interface AdminEnv extends Env {
  Variables: Env['Variables'] & {
    /** Undefined on the pages for anyone. */
    staff: StaffMember | undefined;
    /** Set for every POST. */
    form: FormData;
    /** The sections that have a page. */
    sections: readonly Section[];
  };
}

export type AdminContext = Context<AdminEnv>;

/** A page, or what a form posts to. `pages.ts` lists all of them. */
export interface AdminPage {
  readonly method: 'GET' | 'POST';
  /** Below /admin; '/' is its home. `:name` is a parameter. */
  readonly path: string;
  readonly access: Access;
  /** The longest form, in bytes; 64 KiB by default. */
  readonly formMost?: number;
  readonly handle: (context: AdminContext, services: Services) => Response | Promise<Response>;
}

/** The person that a page for the staff is shown to. */
export function staffOf(context: AdminContext): StaffMember {
  const staff = context.get('staff');
  if (!staff) throw new Error('A page for anyone asks who is signed in.');
  return staff;
}

/** Refuses plain http, over which others in the network could read passwords and cookies, but not on this computer. */
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

/** Whether cookies are for https alone. */
export const isSecure = (context: AdminContext, { apiOrigin }: Services): boolean =>
  apiOrigin.startsWith('https:') || !isFromThisComputer(context);
