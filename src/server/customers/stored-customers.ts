import { type Language, languageOf } from '#domain/language.ts';
import type { Database, Reader, Transaction } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';
import type { Recipient } from '#server/email/email.ts';
import type { Customer } from '#server/services/services.ts';

const CREDENTIALS = q.selectFrom('customers').select(['id', 'passwordHash']);

export type Credentials = RowOf<typeof CREDENTIALS>;

const OPEN_ACCOUNT = q.selectFrom('customers').where('closedAt', 'is', null);

const RECIPIENT = prepared(({ customerId }: { customerId: string }) =>
  OPEN_ACCOUNT.where('id', '=', customerId).select(['email', 'firstName', 'language']),
);

/** Returns undefined if the account was deleted. @param chosen the language of the order that an email is about */
export async function findRecipient(
  db: Reader,
  customerId: string,
  chosen?: string | null,
): Promise<Recipient | undefined> {
  const row = await db.row(RECIPIENT({ customerId }));
  return row && { address: row.email, name: row.firstName, language: languageOf(chosen ?? row.language) };
}

interface Addressed {
  readonly customerId: string | null;
  readonly contactEmail: string | null;
  readonly language: string | null;
}

/**
 * To whom emails about an order go. The email of an order without an account was dictated to the staff: it counts as unverified,
 * even if an account has verified it.
 */
export async function orderRecipient(
  db: Reader,
  { customerId, contactEmail, language }: Addressed,
): Promise<Recipient | undefined> {
  if (customerId !== null) return findRecipient(db, customerId, language);
  if (contactEmail === null) return undefined;
  return { address: contactEmail, name: '', language: languageOf(language), isTypedByOthers: true };
}

/** The columns that the customer may read. */
export const CUSTOMER_COLUMNS = [
  'id',
  'email',
  'firstName',
  'lastName',
  'createdAt',
  'emailVerified',
] as const;

/** Returns undefined if the account was deleted. */
export const findCustomer = (db: Reader, id: string): Promise<Customer | undefined> =>
  db.row(OPEN_ACCOUNT.where('id', '=', id).select(CUSTOMER_COLUMNS));

export const findCredentials = (db: Reader, email: string): Promise<Credentials | undefined> =>
  db.row(CREDENTIALS.where('email', '=', email));

/** Whether the password is still the same. Locks it until the transaction ends. */
export const hasPassword = async (
  transaction: Transaction,
  { id, passwordHash }: Readonly<Credentials>,
): Promise<boolean> =>
  (await transaction.row(
    CREDENTIALS.where('id', '=', id).where('passwordHash', '=', passwordHash).forNoKeyUpdate(),
  )) !== undefined;

const EMAIL_CHANGE = q
  .selectFrom('emailChanges')
  .select(['email', 'oldConfirmed', 'newConfirmed', 'expiresAt']);

/** The change of email that one or both addresses have not confirmed yet. */
export const findEmailChange = (db: Reader, customerId: string, now: number) =>
  db.row(EMAIL_CHANGE.where('customerId', '=', customerId).where('expiresAt', '>', now));

export const eraseEmailChange = (transaction: Transaction, customerId: string): Promise<number> =>
  transaction.run(q.deleteFrom('emailChanges').where('customerId', '=', customerId));

const LOCKED = prepared(({ id }: { id: string }) =>
  OPEN_ACCOUNT.where('id', '=', id).select(CUSTOMER_COLUMNS).forNoKeyUpdate(),
);

/** Keeps other transactions from closing or changing the account, or ordering for it. Returns undefined without one. */
export const lockCustomer = (transaction: Transaction, id: string): Promise<Customer | undefined> =>
  transaction.row(LOCKED({ id }));

/** Returns false, and stores nothing, if the email is taken. */
export async function addCustomer(
  db: Database,
  customer: Customer,
  passwordHash: string,
  language: Language | undefined,
): Promise<boolean> {
  const insert = q.insertInto('customers').values({ ...customer, passwordHash, language });
  const added = await db.write((transaction) =>
    transaction.run(insert.onConflict((row) => row.column('email').doNothing())),
  );
  return added > 0;
}
