import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { type RecordChange, recordChange } from '#server/admin/change-log.ts';
import { ROLE_NAMES, type Role, RoleSchema } from '#server/admin/roles.ts';
import { EmailSchema } from '#server/customers/schema.ts';
import type { Transaction } from '#server/db/database.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import type { Services } from '#server/services/services.ts';
import { withAccessEmails } from './access-changes.ts';
import { removeFactor } from './session.ts';
import {
  findStaffMemberByEmail,
  inviteStaffMember as invite,
  listStaff,
  makePasswordLink,
  PASSWORD_LINK,
} from './stored-staff.ts';

const USAGE = `npm run staff -- list
npm run staff -- add EMAIL --role ${ROLE_NAMES.join('|')} [--name NAME]
npm run staff -- link EMAIL
npm run staff -- without-code EMAIL`;

const AUTHOR = { id: null, who: 'npm run staff' };

export type StaffTools = Pick<Services, 'db' | 'clock' | 'apiOrigin' | 'settings'>;

function argument<S extends v.GenericSchema>(schema: S, text: unknown, error: string): v.InferOutput<S> {
  const parsed = v.safeParse(schema, text);
  if (!parsed.success) throw new ExplainedError(error);
  return parsed.output;
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

const changeStaff = <T>(
  tools: StaffTools,
  work: (transaction: Transaction, log: RecordChange) => Promise<T>,
): Promise<T> =>
  tools.db.write((transaction) => {
    const log: RecordChange = (entry) => recordChange(transaction, AUTHOR, tools.clock(), entry);
    return work(transaction, withAccessEmails(transaction, tools, AUTHOR.who, log));
  });

/** Runs `npm run staff` with the given arguments, and returns the text to print. @throws ExplainedError */
export async function runStaffCommand(tools: StaffTools, args: readonly string[]): Promise<string> {
  const { values, positionals } = argumentsOf(args);
  const [name = '', input = ''] = positionals;
  if (name === 'list') {
    const lines = (await listStaff(tools.db)).map(
      (member) =>
        `${member.email}  ${member.role}  ${member.name}${member.passwordHash === null ? '  (no password yet)' : ''}`,
    );
    return lines.join('\n') || 'There are no staff members yet.';
  }
  if (!['add', 'link', 'without-code'].includes(name) || !input) throw new ExplainedError(USAGE);
  const email = argument(EmailSchema, input, `'${input}' is not an email address.`);
  if (name === 'add') {
    const role = argument(RoleSchema, values.role, `A role is ${ROLE_NAMES.join(', ')}.`);
    return linkText(await inviteStaffMember(tools, email, role, values.name));
  }
  return changeStaff(tools, async (transaction, log) => {
    const member = await findStaffMemberByEmail(transaction, email);
    if (!member) throw new ExplainedError(`No staff member has the email ${email}.`);
    if (name === 'link') return linkText(await makePasswordLink(transaction, log, tools, member));
    return (await removeFactor(transaction, log, member))
      ? `${email} signs in with the password alone.`
      : `${email} has no second factor.`;
  });
}

/** Adds a staff member. Returns the link to choose a password. @throws ExplainedError if the email is taken */
export const inviteStaffMember = (
  tools: StaffTools,
  email: string,
  role: Role,
  name = email.split('@')[0] ?? email,
): Promise<string> =>
  changeStaff(tools, async (transaction, log) => {
    const invited = await invite(transaction, log, tools, { email, name, role });
    if (!invited) throw new ExplainedError(`${email} is already a staff member.`);
    return invited.link;
  });

const DEMO_OWNER = { email: 'owner@example.com', name: 'Demo owner' };

/**
 * Returns a link to choose the owner's first password. Adds a demo owner if there are no staff members. Returns
 * undefined if an owner has a password already.
 */
export async function createOwnerLink(tools: StaffTools): Promise<string | undefined> {
  const staff = await listStaff(tools.db);
  if (staff.length === 0) return inviteStaffMember(tools, DEMO_OWNER.email, 'owner', DEMO_OWNER.name);
  const owners = staff.filter(({ role }) => role === 'owner');
  const [owner] = owners;
  if (!owner || owners.some(({ passwordHash }) => passwordHash !== null)) return undefined;
  return changeStaff(tools, (transaction, log) => makePasswordLink(transaction, log, tools, owner));
}
