import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { type ChangeEntry, recordChange } from '#server/admin/change-log.ts';
import { ROLE_NAMES, RoleSchema } from '#server/admin/roles.ts';
import { EmailSchema } from '#server/customers/schema.ts';
import type { Database, Transaction } from '#server/db/database.ts';
import type { Clock } from '#server/process/clock.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import type { Ids } from '#server/services/ids.ts';
import { switchOff } from './second-factor.ts';
import { endSessions } from './session.ts';
import {
  addStaffMember,
  findStaffMemberByEmail,
  listStaff,
  makePasswordLink,
  PASSWORD_LINK,
  type StoredStaffMember,
} from './stored-staff.ts';

const USAGE = `npm run staff -- list
npm run staff -- add EMAIL --role ${ROLE_NAMES.join('|')} [--name NAME]
npm run staff -- link EMAIL
npm run staff -- without-code EMAIL`;

const AUTHOR = { id: null, who: 'npm run staff' };

export interface StaffTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The origin at which browsers reach the admin. */
  readonly origin: string;
}

const emailOf = (text: string): string => {
  const parsed = v.safeParse(EmailSchema, text);
  if (!parsed.success) throw new ExplainedError(`'${text}' is not an email address.`);
  return parsed.output;
};

const roleOf = (text: string | undefined) => {
  const parsed = v.safeParse(RoleSchema, text);
  if (!parsed.success) throw new ExplainedError(`A role is ${ROLE_NAMES.join(', ')}.`);
  return parsed.output;
};

async function staffMemberOf(transaction: Transaction, email: string): Promise<StoredStaffMember> {
  const member = await findStaffMemberByEmail(transaction, emailOf(email));
  if (!member) throw new ExplainedError(`No staff member has the email ${email}.`);
  return member;
}

const linkText = (link: string): string =>
  `Open this link to choose a password. It works once, within ${PASSWORD_LINK.minutes} minutes:\n${link}`;

/** @throws ExplainedError for an unknown option */
function argumentsOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { role: { type: 'string' }, name: { type: 'string' } },
      allowPositionals: true,
    });
  } catch {
    throw new ExplainedError(USAGE);
  }
}

/** Runs `npm run staff` with the given arguments, and returns the text to print. @throws ExplainedError */
export async function runStaffCommand(tools: StaffTools, args: readonly string[]): Promise<string> {
  const { db, clock, ids, origin } = tools;
  const { values, positionals } = argumentsOf(args);
  const [name = '', email = ''] = positionals;
  const log = (transaction: Transaction, entry: ChangeEntry) =>
    recordChange(transaction, AUTHOR, clock(), entry);

  if (name === 'list') {
    const lines = (await listStaff(db)).map(
      (member) =>
        `${member.email}  ${member.role}  ${member.name}${member.passwordHash === null ? '  (no password yet)' : ''}`,
    );
    return lines.join('\n') || 'There are no staff members yet.';
  }
  if (name === 'add' && email) {
    return linkText(await inviteStaffMember(tools, emailOf(email), roleOf(values.role), values.name));
  }
  if (name === 'link' && email) {
    return db.write(async (transaction) => {
      const member = await staffMemberOf(transaction, email);
      await log(transaction, { action: 'made a link', target: ['staff', member.email] });
      return linkText(await makePasswordLink(transaction, { clock, ids }, origin, member.id));
    });
  }
  if (name === 'without-code' && email) {
    return db.write(async (transaction) => {
      const member = await staffMemberOf(transaction, email);
      if (!(await switchOff(transaction, member.id))) return `${member.email} has no second factor.`;
      await endSessions(transaction, member.id);
      await log(transaction, { action: 'switched off the second factor', target: ['staff', member.email] });
      return `${member.email} signs in with the password alone.`;
    });
  }
  throw new ExplainedError(USAGE);
}

/** Adds a staff member. Returns the link to choose a password. @throws ExplainedError if the email is taken */
export function inviteStaffMember(
  { db, clock, ids, origin }: StaffTools,
  email: string,
  role: StoredStaffMember['role'],
  name = email.split('@')[0] ?? email,
): Promise<string> {
  return db.write(async (transaction) => {
    const id = ids.account();
    if (!(await addStaffMember(transaction, { id, email, name, role, createdAt: clock() }))) {
      throw new ExplainedError(`${email} is already a staff member.`);
    }
    await recordChange(transaction, AUTHOR, clock(), {
      action: 'added',
      target: ['staff', email],
      to: { name, role },
    });
    return makePasswordLink(transaction, { clock, ids }, origin, id);
  });
}

const DEMO_OWNER = { email: 'owner@example.com', name: 'Demo owner' };

/**
 * Returns a link for the first sign-in: it chooses the owner's password. Adds a demo owner if there are no staff members.
 * Returns undefined if an owner has a password already.
 */
export async function createOwnerLink(tools: StaffTools): Promise<string | undefined> {
  const staff = await listStaff(tools.db);
  if (staff.length === 0) return inviteStaffMember(tools, DEMO_OWNER.email, 'owner', DEMO_OWNER.name);
  const owners = staff.filter(({ role }) => role === 'owner');
  const [owner] = owners;
  if (!owner || owners.some(({ passwordHash }) => passwordHash !== null)) return undefined;
  return tools.db.write(async (transaction) => {
    await recordChange(transaction, AUTHOR, tools.clock(), {
      action: 'made a link',
      target: ['staff', owner.email],
    });
    return makePasswordLink(transaction, tools, tools.origin, owner.id);
  });
}
