import { randomUUID } from 'node:crypto';
import type { RecordChange } from '#server/admin/change-log.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { type Role, RoleSchema } from '#server/admin/roles.ts';
import { eraseDevices } from '#server/customers/known-devices.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import { endTokens, findToken, makeToken, type TokenKind } from '#server/db/tokens.ts';
import { emailPart } from '#server/email/links.ts';
import type { Services } from '#server/services/services.ts';
import { endSessions } from './session.ts';

const STAFF = q.selectFrom('staff').select(['id', 'email', 'name', 'role', 'passwordHash', 'createdAt']);

const PARSERS = { role: RoleSchema };

export type StoredStaffMember = RowOf<typeof STAFF, typeof PARSERS>;

export const listStaff = (db: Reader): Promise<StoredStaffMember[]> =>
  db.rows(STAFF.orderBy('createdAt').orderBy('email'), PARSERS);

export const findStaffMember = (db: Reader, id: string): Promise<StoredStaffMember | undefined> =>
  db.row(STAFF.where('id', '=', id), PARSERS);

/** Only those with a password can sign in. */
const WITH_PASSWORD = STAFF.where('passwordHash', 'is not', null);

/** The owners who can sign in. */
export const findOwners = (db: Reader): Promise<StoredStaffMember[]> =>
  db.rows(WITH_PASSWORD.where('role', '=', 'owner').orderBy('id'), PARSERS);

/** Returns undefined if the staff member cannot sign in. Emails to the staff are in English, like the admin. */
export async function findStaffRecipient(db: Reader, id: string) {
  const found = await db.row(WITH_PASSWORD.where('id', '=', id), PARSERS);
  return found && { address: found.email, name: found.name, role: found.role, language: 'en' as const };
}

/** Also locks the row until the transaction ends. */
export const lockStaffMember = (
  transaction: Transaction,
  id: string,
): Promise<StoredStaffMember | undefined> =>
  transaction.row(STAFF.where('id', '=', id).forNoKeyUpdate(), PARSERS);

export const findStaffMemberByEmail = (db: Reader, email: string): Promise<StoredStaffMember | undefined> =>
  db.row(STAFF.where('email', '=', email), PARSERS);

/** Whether this is the only owner. Locks all owners, so that two cannot be removed at once. */
export async function isLastOwner(transaction: Transaction, id: string): Promise<boolean> {
  const all = q.selectFrom('staff').select('id').where('role', '=', 'owner').orderBy('id');
  const owners = await transaction.rows(all.forNoKeyUpdate());
  return owners.length === 1 && owners[0]?.id === id;
}

/** Ends the sessions of the staff member. */
export async function setRole(transaction: Transaction, id: string, role: Role): Promise<void> {
  await transaction.run(q.updateTable('staff').set({ role }).where('id', '=', id));
  await endSessions(transaction, id);
}

/** Whether this is still the password. Locks it until the transaction ends. */
export const hasPassword = async (
  transaction: Transaction,
  { id, passwordHash }: Pick<StoredStaffMember, 'id' | 'passwordHash'>,
): Promise<boolean> =>
  (await transaction.row(
    STAFF.where('id', '=', id).where('passwordHash', '=', passwordHash).forNoKeyUpdate(),
  )) !== undefined;

/** Ends all sessions, erases known devices, and deletes unused links. */
async function endAccess(transaction: Transaction, id: string): Promise<void> {
  await endTokens(transaction, [PASSWORD_LINK], id);
  await endSessions(transaction, id);
  await eraseDevices(transaction, id);
}

/** Also ends every other access. */
export async function setPassword(transaction: Transaction, id: string, passwordHash: string): Promise<void> {
  await transaction.run(q.updateTable('staff').set({ passwordHash }).where('id', '=', id));
  await endAccess(transaction, id);
}

/** Rows of the log stay. */
export async function removeStaffMember(transaction: Transaction, id: string): Promise<void> {
  await endAccess(transaction, id);
  await transaction.run(q.deleteFrom('staff').where('id', '=', id));
}

/** A link to choose a password. Its token is about the staff member's id. */
export const PASSWORD_LINK: TokenKind = { purpose: 'staffPassword', minutes: 15 };

export type LinkServices = Pick<Services, 'clock' | 'apiOrigin'>;

/** Returns a link to choose a password, once. It replaces an earlier one. */
export async function makePasswordLink(
  transaction: Transaction,
  log: RecordChange,
  services: LinkServices,
  { id, email }: Pick<StoredStaffMember, 'id' | 'email'>,
): Promise<string> {
  await endTokens(transaction, [PASSWORD_LINK], id);
  await log({ action: 'made a link', target: ['staff', email] });
  return linkOf(transaction, services, id, email);
}

/** Browsers do not send the part after #, so the token is in no log. */
async function linkOf(
  transaction: Transaction,
  services: LinkServices,
  id: string,
  email: string,
): Promise<string> {
  const token = await makeToken(transaction, services.clock(), PASSWORD_LINK, id);
  return `${services.apiOrigin}${ADMIN}/link#${token}${emailPart(email)}`;
}

/** Adds a staff member. Returns the id and a link to choose a password; undefined if the email is taken. */
export async function inviteStaffMember(
  transaction: Transaction,
  log: RecordChange,
  services: LinkServices,
  { email, name, role }: Pick<StoredStaffMember, 'email' | 'name' | 'role'>,
): Promise<{ readonly id: string; readonly link: string } | undefined> {
  const id = randomUUID();
  const insert = q.insertInto('staff').values({ id, email, name, role, createdAt: services.clock() });
  const added = await transaction.run(insert.onConflict((row) => row.column('email').doNothing()));
  if (added === 0) return undefined;
  await log({ action: 'added', target: ['staff', email], to: { name, role } });
  return { id, link: await linkOf(transaction, services, id, email) };
}

/** Returns the staff member of a token; undefined if it was used, has expired or is unknown. */
export async function findByToken(db: Reader, now: number, kind: TokenKind, token: string) {
  const id = await findToken(db, now, kind, token);
  return id === undefined ? undefined : findStaffMember(db, id);
}
