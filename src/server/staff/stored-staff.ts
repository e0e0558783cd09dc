import * as v from 'valibot';
import { type Role, RoleSchema } from '#server/admin/roles.ts';
import { eraseDevices } from '#server/customers/known-devices.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import type { Email, Recipient } from '#server/email/email.ts';
import { type OutboxServices, storeEmail } from '#server/email/outbox.ts';
import { endSessions } from './session.ts';

/** The details of every email to the owners include the recipient's id. */
export const OWNER_DETAILS = { owner: v.string() };

interface OwnerDetails {
  readonly owner: string;
}

/** Only owners with a password can sign in. */
const IS_OWNER = "role = 'owner' AND password_hash IS NOT NULL";

export async function queueEmailForOwners<Details extends object>(
  transaction: Transaction,
  services: OutboxServices,
  email: Email<Details & OwnerDetails>,
  about: string,
  details: Details,
): Promise<void> {
  const owners = await transaction.all(
    v.object({ owner: v.string() }),
    `SELECT id AS owner FROM staff WHERE ${IS_OWNER} ORDER BY id`,
  );
  for (const { owner } of owners)
    await storeEmail(transaction, services, email, about, { ...details, owner });
}

const AddressSchema = v.object({ address: v.string(), name: v.string() });

/** Returns undefined for a former owner. Emails to owners are in English, like the admin. */
export async function findOwner(db: Reader, id: string): Promise<Recipient | undefined> {
  const found = await db.get(
    AddressSchema,
    `SELECT email AS address, name FROM staff WHERE id = ? AND ${IS_OWNER}`,
    id,
  );
  return found && { ...found, language: 'en' };
}

const StaffMemberRowSchema = v.object({
  id: v.string(),
  email: v.string(),
  name: v.string(),
  role: RoleSchema,
  passwordHash: v.nullable(v.string()),
  createdAt: v.number(),
});

export type StoredStaffMember = v.InferOutput<typeof StaffMemberRowSchema>;

const STAFF_MEMBER = `SELECT id, email, name, role, password_hash AS "passwordHash", created_at AS "createdAt" FROM staff`;

export const listStaff = (db: Reader): Promise<StoredStaffMember[]> =>
  db.all(StaffMemberRowSchema, `${STAFF_MEMBER} ORDER BY created_at, email`);

export const findStaffMember = (db: Reader, id: string): Promise<StoredStaffMember | undefined> =>
  db.get(StaffMemberRowSchema, `${STAFF_MEMBER} WHERE id = ?`, id);

/** Also locks the row until the transaction ends. */
export const lockStaffMember = (
  transaction: Transaction,
  id: string,
): Promise<StoredStaffMember | undefined> =>
  transaction.get(StaffMemberRowSchema, `${STAFF_MEMBER} WHERE id = ? FOR NO KEY UPDATE`, id);

export const findStaffMemberByEmail = (db: Reader, email: string): Promise<StoredStaffMember | undefined> =>
  db.get(StaffMemberRowSchema, `${STAFF_MEMBER} WHERE email = ?`, email);

/** Returns false if the email is taken. */
export async function addStaffMember(
  transaction: Transaction,
  {
    id,
    email,
    name,
    role,
    createdAt,
  }: Pick<StoredStaffMember, 'id' | 'email' | 'name' | 'role' | 'createdAt'>,
): Promise<boolean> {
  const added = await transaction.run(
    'INSERT INTO staff (id, email, name, role, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING',
    id,
    email,
    name,
    role,
    createdAt,
  );
  return added > 0;
}

/**
 * Whether this is the only owner. Locks all owners until the transaction ends, so that two cannot be removed at once.
 */
export async function isLastOwner(transaction: Transaction, id: string): Promise<boolean> {
  const owners = await transaction.all(
    v.object({ id: v.string() }),
    "SELECT id FROM staff WHERE role = 'owner' ORDER BY id FOR NO KEY UPDATE",
  );
  return owners.length === 1 && owners[0]?.id === id;
}

/** Ends the sessions of the staff member. */
export async function setRole(transaction: Transaction, id: string, role: Role): Promise<void> {
  await transaction.run('UPDATE staff SET role = ? WHERE id = ?', role, id);
  await endSessions(transaction, id);
}

/** Whether this is still the password. Locks it until the transaction ends. */
export const hasPassword = async (
  transaction: Transaction,
  { id, passwordHash }: Pick<StoredStaffMember, 'id' | 'passwordHash'>,
): Promise<boolean> =>
  (await transaction.get(
    v.unknown(),
    'SELECT id FROM staff WHERE id = ? AND password_hash = ? FOR NO KEY UPDATE',
    id,
    passwordHash,
  )) !== undefined;

/** Also ends all sessions, erases known devices, and deletes unused links. */
export async function setPassword(transaction: Transaction, id: string, passwordHash: string): Promise<void> {
  await transaction.run('UPDATE staff SET password_hash = ? WHERE id = ?', passwordHash, id);
  await transaction.run('DELETE FROM staff_links WHERE staff_id = ? AND used_at IS NULL', id);
  await endSessions(transaction, id);
  await eraseDevices(transaction, 'staff', id);
}

/** Deletes the staff member with sessions and links. Rows of the log stay. */
export const removeStaffMember = (transaction: Transaction, id: string): Promise<number> =>
  transaction.run('DELETE FROM staff WHERE id = ?', id);
