import * as v from 'valibot';
import { eraseEmailChange } from '#server/customers/email-change.ts';
import { ACCOUNT_EMAILS } from '#server/customers/emails.ts';
import { closeAccount } from '#server/customers/sessions.ts';
import { findCustomer, findRecipient, lockAccount } from '#server/customers/stored-customers.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { eraseEmailsOf, exportEmails, type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { exportOrders } from '#server/orders/order-privacy.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Customer } from '#server/services/services.ts';

/**
 * Deletes an account, whoever asked for it, and tells its person by email. An order on its way is carried out.
 * Returns false where there is no such account any more.
 */
export async function deleteAccount(
  transaction: Transaction,
  services: OutboxServices,
  customerId: string,
): Promise<boolean> {
  if (!(await lockAccount(transaction, customerId))) return false;
  // It is read now that nobody can change its email.
  const customer = await findCustomer(transaction, customerId);
  if (!customer) return false;
  const recipient = await findRecipient(transaction, customerId);
  await eraseCustomer(transaction, customer, services.clock());
  if (recipient) await queueEmail(transaction, services, ACCOUNT_EMAILS.deleted, customerId, recipient);
  return true;
}

/** Something that is kept about a customer. */
interface PersonalData {
  /** The tables that it stands in. */
  readonly tables: readonly string[];
  /**
   * What the file of everything about a person has of it, entry by entry.
   * @param isProven whether the email is known to be the person's. Registering proves none, so the account alone opens
   * nothing that only hangs on the email
   */
  readonly kept: (
    db: Reader,
    customer: Customer,
    isVerified: boolean,
  ) => AsyncIterable<object> | Promise<readonly object[]>;
  /** Deletes it with the account. Entries without `forget` are deleted by another entry, or later (`forget.ts`). */
  readonly forget?: (transaction: Transaction, customer: Customer, now: number) => Promise<unknown>;
}

const DeviceSchema = v.object({ lastUsedAt: v.number() });

const SessionSchema = v.object({ expiresAt: v.number() });

/**
 * Everything that is kept about a customer. A test compares it with the tables of the database, so that a new table is
 * either here or in NOT_PERSONAL. The file of everything and the deletion of an account follow this table.
 */
export const PERSONAL_DATA: Readonly<Record<string, PersonalData>> = {
  account: {
    tables: ['customers'],
    kept: async (db, { id, email, firstName, lastName, createdAt }) => {
      const row = await db.get(
        v.object({ language: v.nullable(v.string()) }),
        'SELECT language FROM customers WHERE id = ?',
        id,
      );
      return [{ email, firstName, lastName, createdAt: isoTime(createdAt), language: row?.language ?? null }];
    },
    forget: closeAccount,
  },
  newEmail: {
    tables: ['email_changes'],
    kept: async (db, { id }) =>
      db.all(v.object({ email: v.string() }), 'SELECT email FROM email_changes WHERE customer_id = ?', id),
    forget: (transaction, { id }) => eraseEmailChange(transaction, id),
  },
  signedIn: {
    tables: ['sessions'],
    kept: async (db, { id }) =>
      (
        await db.all(
          SessionSchema,
          'SELECT expires_at AS "expiresAt" FROM sessions WHERE customer_id = ? ORDER BY expires_at',
          id,
        )
      ).map(({ expiresAt }) => ({ until: isoTime(expiresAt) })),
  },
  devices: {
    tables: ['customer_devices'],
    kept: async (db, { id }) =>
      (
        await db.all(
          DeviceSchema,
          'SELECT last_used_at AS "lastUsedAt" FROM customer_devices WHERE customer_id = ? ORDER BY last_used_at',
          id,
        )
      ).map(({ lastUsedAt }) => ({ lastSignIn: isoTime(lastUsedAt) })),
  },
  orders: {
    tables: [
      'orders',
      'order_items',
      'payments',
      'payment_reports',
      'payments_resolved',
      'refunds',
      'returns',
    ],
    kept: (db, { id }) => exportOrders(db, id),
  },
  orderKeys: {
    tables: ['order_keys'],
    // Each is a random text with the answer to an order that the file has anyway.
    kept: async () => [],
    forget: (transaction, { id }) => transaction.run('DELETE FROM order_keys WHERE customer_id = ?', id),
  },
  emails: {
    tables: ['emails', 'email_links'],
    kept: exportEmails,
    forget: eraseEmailsOf,
  },
};

/** Tables that name no customer, and the admin's log, which may name one: nobody can change it. */
export const NOT_PERSONAL: readonly string[] = [
  'meta',
  'admin_forms',
  'admin_log',
  'pictures',
  'products',
  'staff',
  'staff_devices',
  'staff_links',
  'staff_recovery_codes',
  'staff_second_factors',
  'staff_sessions',
  'staff_sign_in_steps',
];

/** The file of everything that is kept about a customer, as JSON in parts. */
export async function* personalDataFile(
  db: Reader,
  customer: Customer,
  isVerified: boolean,
): AsyncGenerator<string> {
  let before = '{';
  for (const [name, { kept }] of Object.entries(PERSONAL_DATA)) {
    yield `${before}\n  ${JSON.stringify(name)}: [`;
    before = '],';
    let separator = '';
    for await (const entry of await kept(db, customer, isVerified)) {
      yield `${separator}\n    ${JSON.stringify(entry)}`;
      separator = ',';
    }
  }
  yield ']\n}\n';
}

/** Deletes the account and what is kept about its person. What its open orders still need goes later (`forget.ts`). */
export async function eraseCustomer(
  transaction: Transaction,
  customer: Customer,
  now: number,
): Promise<void> {
  for (const { forget } of Object.values(PERSONAL_DATA)) await forget?.(transaction, customer, now);
}
