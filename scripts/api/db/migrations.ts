import { RELEASED as POSTGRES_RELEASED } from './postgres/released.ts';
import { RELEASED as SQLITE_RELEASED } from './sqlite/released.ts';

/** The words in which the two databases differ. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** A text that is compared or sorted. PostgreSQL would sort it as the server's language does. */
  readonly text: string;
  /** A whole number up to 2^53. */
  readonly whole: string;
  /** What follows the columns of a new table. */
  readonly end: string;
}

const SQLITE: Dialect = { name: 'sqlite', text: 'TEXT', whole: 'INTEGER', end: 'STRICT' };

const POSTGRES: Dialect = { name: 'postgres', text: 'TEXT COLLATE "C"', whole: 'BIGINT', end: '' };

/**
 * Lets a column hold any value of its type. What it may hold then stands in a table of the program alone. SQLite drops
 * only a check that has a name, and these have none, so there the column is made anew and becomes the table's last:
 * rows are inserted by the names of their columns.
 */
function withoutCheck({ name, text, whole }: Dialect, table: string, column: string, type: 'text' | 'whole') {
  if (name === 'postgres') return `ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_check;`;
  const [kind, initial] = type === 'text' ? [text, "''"] : [whole, '0'];
  return `
    ALTER TABLE ${table} ADD COLUMN unchecked ${kind} NOT NULL DEFAULT ${initial};
    UPDATE ${table} SET unchecked = ${column};
    ALTER TABLE ${table} DROP COLUMN ${column};
    ALTER TABLE ${table} RENAME COLUMN unchecked TO ${column};`;
}

/**
 * What both databases get after their released migrations, in this order. A change is one more line at the end; where the
 * databases truly differ, the line asks for the name. Never change a line that was released, and keep the schema usable
 * for the previous version of the program.
 */
const MIGRATIONS: readonly ((sql: Dialect) => string)[] = [
  // The indexes that name these columns would keep SQLite from dropping them.
  (sql) => `
    DROP INDEX orders_by_status;
    DROP INDEX one_capture_an_order;
    DROP INDEX payments_to_look_at;
    ${withoutCheck(sql, 'orders', 'status', 'whole')}
    ${withoutCheck(sql, 'order_items', 'quantity', 'whole')}
    ${withoutCheck(sql, 'payments', 'state', 'text')}
    ${withoutCheck(sql, 'staff', 'role', 'text')}
    CREATE INDEX orders_by_status ON orders (status, number);
    CREATE UNIQUE INDEX one_capture_an_order ON payments (order_number) WHERE state = 'paid';
    CREATE INDEX payments_to_look_at ON payments (changed_at) WHERE state IN ('flagged', 'refund_due');`,
  ({ text, whole, end }) => `
    ALTER TABLE payments ADD COLUMN provider ${text} NOT NULL DEFAULT 'sandbox';
    ALTER TABLE payments ADD COLUMN provider_id ${text};
    ALTER TABLE payments ADD COLUMN started ${text};
    ALTER TABLE payments ADD COLUMN next_ask_at ${whole};
    ALTER TABLE payments ADD COLUMN asked_at ${whole};
    ALTER TABLE payments ADD COLUMN asks ${whole} NOT NULL DEFAULT 0;
    CREATE INDEX payments_to_ask ON payments (next_ask_at) WHERE next_ask_at IS NOT NULL;
    CREATE TABLE refunds (
      key ${text} PRIMARY KEY,
      reference ${text} NOT NULL REFERENCES payments (reference),
      paise ${whole} NOT NULL,
      reason ${text} NOT NULL,
      who ${text} NOT NULL,
      state ${text} NOT NULL,
      words ${text} NOT NULL,
      by_hand ${whole} NOT NULL,
      created_at ${whole} NOT NULL,
      changed_at ${whole} NOT NULL,
      next_ask_at ${whole},
      asks ${whole} NOT NULL
    ) ${end};
    CREATE INDEX refunds_by_payment ON refunds (reference);
    CREATE INDEX refunds_to_ask ON refunds (next_ask_at) WHERE next_ask_at IS NOT NULL;`,
  ({ text, whole, end }) => `
    CREATE TABLE user_devices (
      user_id ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      token_hash ${text} NOT NULL,
      seen_at ${whole} NOT NULL,
      PRIMARY KEY (user_id, token_hash)
    ) ${end};
    CREATE INDEX user_devices_by_token ON user_devices (token_hash);
    CREATE TABLE staff_devices (
      staff_id ${text} NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
      token_hash ${text} NOT NULL,
      seen_at ${whole} NOT NULL,
      PRIMARY KEY (staff_id, token_hash)
    ) ${end};
    CREATE INDEX staff_devices_by_token ON staff_devices (token_hash);`,
  // What an order's total consists of, as JSON. Earlier orders have none: their items are all there was to pay.
  () => 'ALTER TABLE orders ADD COLUMN amounts TEXT',
  // What a form of the office held, so that another content under its number is noticed.
  ({ text }) => `ALTER TABLE office_forms ADD COLUMN form_hash ${text}`,
  ({ text, whole, end }) => `
    CREATE TABLE staff_second_factors (
      staff_id ${text} PRIMARY KEY REFERENCES staff (id) ON DELETE CASCADE,
      secret ${text} NOT NULL,
      last_period ${whole} NOT NULL
    ) ${end};
    CREATE TABLE staff_recovery_codes (
      staff_id ${text} NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
      code_hash ${text} NOT NULL,
      PRIMARY KEY (staff_id, code_hash)
    ) ${end};
    CREATE TABLE staff_sign_in_steps (
      token_hash ${text} PRIMARY KEY,
      staff_id ${text} NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
      expires_at ${whole} NOT NULL
    ) ${end};
    CREATE INDEX staff_sign_in_steps_by_staff ON staff_sign_in_steps (staff_id);`,
  // What the payment form asks for besides the way to pay.
  ({ text }) => `
    ALTER TABLE orders ADD COLUMN courier_note ${text};
    ALTER TABLE orders ADD COLUMN gstin ${text};`,
  // What a letter says is read when it is sent, so a letter that waits has no more than what it is about.
  ({ text, whole, end }) => `
    ALTER TABLE users ADD COLUMN language ${text};
    ALTER TABLE users ADD COLUMN email_proven ${whole} NOT NULL DEFAULT 0;
    ALTER TABLE orders ADD COLUMN language ${text};
    CREATE TABLE letters (
      id ${text} PRIMARY KEY,
      kind ${text} NOT NULL,
      about ${text} NOT NULL,
      details ${text} NOT NULL,
      urgent ${whole} NOT NULL DEFAULT 0,
      state ${text} NOT NULL,
      address ${text} NOT NULL,
      mailbox ${text} NOT NULL DEFAULT '',
      trouble ${text} NOT NULL,
      tries ${whole} NOT NULL,
      created_at ${whole} NOT NULL,
      changed_at ${whole} NOT NULL,
      next_try_at ${whole}
    ) ${end};
    CREATE INDEX letters_to_send ON letters (urgent, created_at, next_try_at) WHERE next_try_at IS NOT NULL;
    CREATE INDEX letters_by_state ON letters (state, changed_at);
    CREATE INDEX letters_by_address ON letters (address, changed_at);
    CREATE INDEX letters_by_mailbox ON letters (mailbox, changed_at);
    CREATE TABLE letter_links (
      token_hash ${text} PRIMARY KEY,
      purpose ${text} NOT NULL,
      about ${text} NOT NULL,
      expires_at ${whole} NOT NULL
    ) ${end};
    CREATE INDEX letter_links_by_about ON letter_links (purpose, about);`,
  // Who carries the parcel, and when the order came into each status: JSON objects with a comma after each.
  ({ text }) => `
    ALTER TABLE orders ADD COLUMN carrier ${text};
    ALTER TABLE orders ADD COLUMN events ${text};`,
  // When an account was deleted. Its row stays for the orders, without anything that names a person.
  ({ whole }) => `
    ALTER TABLE users ADD COLUMN closed_at ${whole};
    CREATE INDEX users_closed ON users (closed_at) WHERE closed_at IS NOT NULL;`,
  // A change of email that waits until both addresses have confirmed it: 1 where one has.
  ({ text, whole, end }) => `
    CREATE TABLE email_changes (
      user_id ${text} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      email ${text} NOT NULL,
      old_confirmed ${whole} NOT NULL,
      new_confirmed ${whole} NOT NULL,
      expires_at ${whole} NOT NULL
    ) ${end};`,
  // What shoppers ask to return, with how many pieces of which item as JSON.
  ({ text, whole, end }) => `
    CREATE TABLE returns (
      id ${text} PRIMARY KEY,
      order_number ${whole} NOT NULL REFERENCES orders (number),
      state ${text} NOT NULL,
      reason ${text} NOT NULL,
      answer ${text} NOT NULL,
      lines ${text} NOT NULL,
      created_at ${whole} NOT NULL,
      changed_at ${whole} NOT NULL
    ) ${end};
    CREATE INDEX returns_by_order ON returns (order_number);
    CREATE INDEX returns_open ON returns (changed_at) WHERE state NOT IN ('refused', 'refunded');`,
  // These indexes find what has been kept long enough.
  () => `
    CREATE INDEX letter_links_by_expiry ON letter_links (expires_at);
    CREATE INDEX user_devices_by_time ON user_devices (seen_at);
    CREATE INDEX order_keys_by_time ON order_keys (created_at);`,
  ({ whole }) => `ALTER TABLE letters ADD COLUMN to_staff ${whole} NOT NULL DEFAULT 0;`,
  // When a payment came into each of its states.
  ({ text }) => `ALTER TABLE payments ADD COLUMN events ${text};`,
  // Apart from meta, because no backup may hold a secret that signs.
  ({ text, end }) => `CREATE TABLE secrets (name ${text} PRIMARY KEY, value ${text} NOT NULL) ${end};`,
];

/** All that a file of SQLite needs. `PRAGMA user_version` counts how many were applied. */
export const SQLITE_MIGRATIONS: readonly string[] = [
  ...SQLITE_RELEASED,
  ...MIGRATIONS.map((write) => write(SQLITE)),
];

/** All that PostgreSQL needs. The row `schema_version` of the table meta counts how many were applied. */
export const POSTGRES_MIGRATIONS: readonly string[] = [
  ...POSTGRES_RELEASED,
  ...MIGRATIONS.map((write) => write(POSTGRES)),
];
