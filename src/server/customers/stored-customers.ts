import * as v from 'valibot';
import { type Language, languageOf } from '#domain/language.ts';
import { columnsOf, insertOf } from '#server/db/columns.ts';
import type { Database, Reader, Transaction } from '#server/db/database.ts';
import type { Recipient } from '#server/email/email.ts';
import type { Customer } from '#server/services/services.ts';

const CredentialsRowSchema = v.object({ id: v.string(), passwordHash: v.string() });

export type Credentials = v.InferOutput<typeof CredentialsRowSchema>;

const RecipientRowSchema = v.object({
  email: v.string(),
  firstName: v.string(),
  language: v.nullable(v.string()),
});

/** Returns undefined if the account was deleted. @param chosen the language of the order that an email is about */
export async function findRecipient(
  db: Reader,
  customerId: string,
  chosen?: string | null,
): Promise<Recipient | undefined> {
  const row = await db.get(
    RecipientRowSchema,
    'SELECT email, first_name AS "firstName", language FROM customers WHERE id = ? AND closed_at IS NULL',
    customerId,
  );
  return row && { address: row.email, name: row.firstName, language: languageOf(chosen ?? row.language) };
}

/** The columns that the customer may read. */
export const CUSTOMER_ROW = {
  id: v.string(),
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  /** ms since 1970 */
  createdAt: v.number(),
};

const CustomerRowSchema = v.object(CUSTOMER_ROW);

/** Returns undefined if the account was deleted. */
export const findCustomer = (db: Reader, id: string): Promise<Customer | undefined> =>
  db.get(
    CustomerRowSchema,
    `SELECT ${columnsOf(CUSTOMER_ROW)} FROM customers WHERE id = ? AND closed_at IS NULL`,
    id,
  );

const EmailRowSchema = v.object({ email: v.string() });

export const findCredentials = (db: Reader, email: string): Promise<Credentials | undefined> =>
  db.get(
    CredentialsRowSchema,
    'SELECT id, password_hash AS "passwordHash" FROM customers WHERE email = ?',
    email,
  );

export const emailOf = async (db: Reader, customerId: string): Promise<string | undefined> =>
  (await db.get(EmailRowSchema, 'SELECT email FROM customers WHERE id = ? AND closed_at IS NULL', customerId))
    ?.email;

/** Whether the password is still the same. Locks it until the transaction ends. */
export const hasPassword = async (
  transaction: Transaction,
  { id, passwordHash }: Readonly<Credentials>,
): Promise<boolean> =>
  (await transaction.get(
    v.unknown(),
    'SELECT id FROM customers WHERE id = ? AND password_hash = ? FOR NO KEY UPDATE',
    id,
    passwordHash,
  )) !== undefined;

/**
 * Keeps other transactions from closing the account or placing an order for it. Returns false if there is no such account
 * or it was deleted.
 */
export const lockAccount = async (transaction: Transaction, customerId: string): Promise<boolean> =>
  (await transaction.get(
    v.unknown(),
    'SELECT id FROM customers WHERE id = ? AND closed_at IS NULL FOR NO KEY UPDATE',
    customerId,
  )) !== undefined;

/** Returns false, and stores nothing, if the email is taken. */
export async function addCustomer(
  db: Database,
  customer: Customer,
  passwordHash: string,
  language: Language | undefined,
): Promise<boolean> {
  const [sql, ...values] = insertOf('customers', { ...customer, passwordHash, language: language ?? null });
  const added = await db.write((transaction) =>
    transaction.run(`${sql} ON CONFLICT (email) DO NOTHING`, ...values),
  );
  return added > 0;
}
