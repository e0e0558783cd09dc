import type { Context } from 'hono';
import * as v from 'valibot';
import type { Env, Shop } from '#scripts/api/shop/shop.ts';

/** Somebody who is signed in. */
export interface Staff {
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

/** Who may open a page: the whole world, everyone of the staff, or these roles. An owner may open every page. */
export type Access = 'anyone' | 'staff' | readonly Role[];

export interface OfficeEnv extends Env {
  Variables: Env['Variables'] & {
    /** Undefined on the pages for anyone. */
    staff: Staff | undefined;
    /** Set for every POST. */
    form: FormData;
    /** The sections that have a page. */
    sections: readonly Section[];
  };
}

export type OfficeContext = Context<OfficeEnv>;

/** A page, or what a form posts to. `pages.ts` lists all of them. */
export interface OfficePage {
  readonly method: 'GET' | 'POST';
  /** Below /office; '/' is its home. `:name` is a parameter. */
  readonly path: string;
  readonly access: Access;
  /** The longest form, in bytes; 64 KiB by default. */
  readonly formMost?: number;
  readonly handle: (context: OfficeContext, shop: Shop) => Response | Promise<Response>;
}

export const mayOpen = (access: Access, role: Role): boolean =>
  typeof access === 'string' || role === 'owner' || access.includes(role);

/** The person that a page for the staff is shown to. */
export function staffOf(context: OfficeContext): Staff {
  const staff = context.get('staff');
  if (!staff) throw new Error('A page for anyone asks who is signed in.');
  return staff;
}

/** The roles and their labels. An owner may open every page; `access` of a page names the other roles. */
export const ROLES = { owner: 'Owner', editor: 'Editor', packer: 'Packer' } as const;

export type Role = keyof typeof ROLES;

export const RoleSchema = v.picklist(
  ['owner', 'editor', 'packer'] as const satisfies Role[],
  'Choose a role',
);

/** For a select. */
export const ROLE_OPTIONS = Object.entries(ROLES).map(([value, label]) => ({ value, label }));
