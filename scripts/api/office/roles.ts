import * as v from 'valibot';

/** The roles and their labels. An owner may open every page; `access` of a page names the other roles. */
export const ROLES = { owner: 'Owner', editor: 'Editor', packer: 'Packer' } as const;

export type Role = keyof typeof ROLES;

export const RoleSchema = v.picklist(
  ['owner', 'editor', 'packer'] as const satisfies Role[],
  'Choose a role',
);

/** For a select. */
export const ROLE_OPTIONS = Object.entries(ROLES).map(([value, label]) => ({ value, label }));
