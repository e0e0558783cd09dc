import { ACCOUNT_EMAILS } from '#server/customers/emails.ts';
import { closeAccount, SESSION } from '#server/customers/sessions.ts';
import { eraseNotes, exportNotes } from '#server/customers/staff-notes.tsx';
import { eraseBlocks, exportBlocks } from '#server/customers/stored-blocks.ts';
import { eraseEmailChange, findRecipient, lockCustomer } from '#server/customers/stored-customers.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { eraseEmailsOf, exportEmails, type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { exportOrders, ofAccount, ofContact } from '#server/fulfilment/order-privacy.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Customer } from '#server/services/services.ts';

/**
 * Erases an account with its data, and notifies the customer. What open orders still need is erased later (`retention.ts`).
 * Returns false without an account.
 */
export async function deleteAccount(
  transaction: Transaction,
  services: OutboxServices,
  customerId: string,
): Promise<boolean> {
  const customer = await lockCustomer(transaction, customerId);
  const recipient = await findRecipient(transaction, customerId);
  if (!customer || !recipient) return false;
  for (const { erase } of Object.values(PERSONAL_DATA))
    await erase?.(transaction, customer, services.clock());
  await queueEmail(transaction, services, ACCOUNT_EMAILS.deleted, customerId, recipient);
  return true;
}

/** A kind of data that is stored about a customer. */
interface PersonalData {
  readonly tables: readonly string[];
  /**
   * Its entries in the export of personal data.
   * @param isVerified whether the email is known to be the customer's. Only then is data included that is linked by the
   * email alone, because registering verifies no email
   */
  readonly entries: (
    db: Reader,
    customer: Customer,
    isVerified: boolean,
  ) => AsyncIterable<object> | Promise<readonly object[]>;
  /** Erases it with the account. Kinds without `erase` are erased by another kind, or later (`retention.ts`). */
  readonly erase?: (transaction: Transaction, customer: Customer, now: number) => Promise<unknown>;
}

/**
 * Everything that is stored about a customer, for the export and the deletion of an account. A test compares it with the
 * tables of the database: each is either here or in NOT_PERSONAL.
 */
export const PERSONAL_DATA: Readonly<Record<string, PersonalData>> = {
  account: {
    tables: ['customers'],
    entries: async (db, { id, email, firstName, lastName, createdAt }) => {
      const row = await db.row(q.selectFrom('customers').select('language').where('id', '=', id));
      return [{ email, firstName, lastName, createdAt: isoTime(createdAt), language: row?.language ?? null }];
    },
    erase: closeAccount,
  },
  newEmail: {
    tables: ['email_changes'],
    entries: async (db, { id }) =>
      db.rows(q.selectFrom('emailChanges').select('email').where('customerId', '=', id)),
    erase: (transaction, { id }) => eraseEmailChange(transaction, id),
  },
  signedIn: {
    tables: ['tokens'],
    async entries(db, { id }) {
      const own = q.selectFrom('tokens').select('expiresAt').where('subjectId', '=', id);
      const rows = await db.rows(own.where('purpose', '=', SESSION.purpose).orderBy('expiresAt'));
      return rows.map(({ expiresAt }) => ({ until: isoTime(expiresAt) }));
    },
  },
  devices: {
    tables: ['devices'],
    async entries(db, { id }) {
      const own = q.selectFrom('devices').select('lastUsedAt').where('accountId', '=', id);
      const rows = await db.rows(own.orderBy('lastUsedAt'));
      return rows.map(({ lastUsedAt }) => ({ lastSignIn: isoTime(lastUsedAt) }));
    },
  },
  orders: {
    tables: [
      'orders',
      'order_items',
      'order_extras',
      'held_stock',
      'payment_attempts',
      'movements',
      'adjustments',
      'returns',
    ],
    entries: (db, { id }) => exportOrders(db, ofAccount(id)),
  },
  staffNotes: {
    tables: ['staff_notes'],
    entries: (db, { id }) => exportNotes(db, id),
    erase: (transaction, { id }) => eraseNotes(transaction, id),
  },
  blocks: { tables: ['blocks'], entries: exportBlocks, erase: eraseBlocks },
  orderKeys: {
    tables: ['order_keys'],
    // A row holds a random key and an order's response, which `orders` contains already.
    entries: async () => [],
    erase: (transaction, { id }) => transaction.run(q.deleteFrom('orderKeys').where('customerId', '=', id)),
  },
  emails: {
    tables: ['emails'],
    entries: exportEmails,
    erase: eraseEmailsOf,
  },
};

/** Tables without personal data of customers, and the admin's log, which may name one but cannot be changed. */
export const NOT_PERSONAL: readonly string[] = [
  'meta',
  'notifications',
  'admin_forms',
  'admin_log',
  'batches',
  'batch_orders',
  'pictures',
  'products',
  'staff',
  'staff_recovery_codes',
  'staff_second_factors',
  'stock',
];

/** The export of everything that is stored about a customer, as JSON in chunks. */
export const personalDataFile = (
  db: Reader,
  customer: Customer,
  isVerified: boolean,
): AsyncGenerator<string> =>
  jsonOf(
    Object.entries(PERSONAL_DATA).map(([name, { entries }]) => [
      name,
      () => entries(db, customer, isVerified),
    ]),
  );

/** The same about somebody without an account, by an email or a phone. */
export const contactDataFile = (db: Reader, contact: string): AsyncGenerator<string> =>
  jsonOf([['orders', () => exportOrders(db, ofContact(contact))]]);

type Kinds = readonly (readonly [name: string, entries: () => ReturnType<PersonalData['entries']>])[];

async function* jsonOf(kinds: Kinds): AsyncGenerator<string> {
  let before = '{';
  for (const [name, entries] of kinds) {
    yield `${before}\n  ${JSON.stringify(name)}: [`;
    before = '],';
    let separator = '';
    for await (const entry of await entries()) {
      yield `${separator}\n    ${JSON.stringify(entry)}`;
      separator = ',';
    }
  }
  yield ']\n}\n';
}
