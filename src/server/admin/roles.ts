import * as v from 'valibot';

/** The areas of the admin, with their row of the table in EDITORS.md. Each page names its area; a test fails for an area without a page. */
export const AREAS = {
  orders: 'Orders: find and pack them, print slips and pick lists, and send them with their numbers',
  service:
    'Orders: see amounts, customers and what happened; take them by phone, cancel and correct them, and answer returns',
  payments:
    'Money: refund it, book what came or went in another way, lower or write off what is owed, and see the payment methods',
  exports: 'Orders: download them with names and addresses',
  catalogue: 'Catalogue: products, their prices and their order',
  store: 'Store: names, address, email, logo, delivery charges, days for returns, and categories',
  policies: 'Policies',
  publish: 'Publish, and go back one publication',
  staffAccounts: 'Staff: add and remove staff members, change roles, make links, require a second factor',
  emails: 'Emails: preview them, see which could not be sent, and send them again',
  customers: 'Customers: export and delete their data, and end the sessions of a lost phone',
  log: 'Log: who changed what',
} as const;

export type Area = keyof typeof AREAS;

/** To see an area, and to change something in it. */
export type Right = `${Area}.${'read' | 'write'}`;

interface RoleRow {
  readonly label: string;
  /** The description in the form that adds a staff member. */
  readonly does: string;
  /** An area includes both of its rights. */
  readonly may: 'everything' | readonly (Area | `${Area}.read`)[];
}

const ROWS = {
  owner: { label: 'Owner', does: 'An owner may do everything.', may: 'everything' },
  editor: {
    label: 'Editor',
    does: 'An editor changes what is sold, the policies, and the store: also the email that gets messages and replies, delivery charges and the days for returns. An editor publishes.',
    may: ['catalogue', 'store', 'policies', 'publish'],
  },
  packer: {
    label: 'Packer',
    does: 'A packer sees what is to be packed, where it goes and what to collect at the door, and sends it.',
    may: ['orders'],
  },
} as const satisfies Record<string, RoleRow>;

export type Role = keyof typeof ROWS;

/**
 * A new role is a line here, and a column of the table in EDITORS.md. Forms, commands and tests follow: the tests open
 * every page with every role. Pages leave out links to pages that the role may not open, and disable its forms.
 */
export const ROLES: Readonly<Record<Role, RoleRow>> = ROWS;

export const ROLE_NAMES = Object.keys(ROLES).filter((name): name is Role => name in ROLES);

export const RoleSchema = v.picklist(ROLE_NAMES, 'Choose a role');

/** Who may open a page. An area requires its read right for GET, and its write right for POST. */
export type Access = 'anyone' | 'staff' | Area | Right;

export function mayOpen(
  { method, access }: { readonly method: 'GET' | 'POST'; readonly access: Access },
  role: Role,
): boolean {
  const { may } = ROLES[role];
  if (access === 'anyone' || access === 'staff' || may === 'everything') return true;
  const [area = '', right = method === 'GET' ? 'read' : 'write'] = access.split('.');
  return may.some((one) => one === area || one === `${area}.${right}`);
}
