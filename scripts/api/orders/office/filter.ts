import { tidyPhone } from '#domain/phone.ts';
import { toAsciiDigits } from '#domain/text.ts';
import type { Value } from '#scripts/api/db/database.ts';

/** Which orders to find. All that is given must hold. */
export interface OrderFilter {
  readonly status?: number;
  /** The time of the order, in ms since 1970: from the first, before the second. */
  readonly from?: number;
  readonly until?: number;
  /** Part of the order's number, the name, the phone number, the PIN code or the email. */
  readonly text?: string;
}

export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

const DAY = 24 * 60 * 60 * 1_000;

/** When a day begins in India, in ms since 1970. @param day such as '2026-01-05' */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00+05:30`);

/** When the day has ended. */
export const endOfDay = (day: string): number => startOfDay(day) + DAY;

/** The database makes the same small letters of the names that it searches. */
const lowerCase = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * A condition on a column of the index `orders_by_recipient`. `recipient > ''` is true for every order, but makes SQLite scan
 * the index instead of the table, in a quarter of the time.
 */
const recipientLike = (column: string, pattern: string): Condition => ({
  sql: `number IN (SELECT number FROM orders WHERE recipient > '' AND ${column} LIKE ? ESCAPE '\\')`,
  values: [pattern],
});

/** A condition for each thing that a text may be, by its shape: email, order number, phone number or its end, PIN code, name. */
function meanings(text: string): Condition[] {
  const found: Condition[] = [];
  if (text.includes('@')) {
    found.push({
      sql: "user_id IN (SELECT id FROM users WHERE email LIKE ? ESCAPE '\\')",
      values: [`${escaped(lowerCase(text))}%`],
    });
  }
  const id = lowerCase(text);
  if (/^[\da-f-]{4,36}$/.test(id)) {
    // 'g' comes after every character of an order's number.
    found.push({ sql: 'id BETWEEN ? AND ?', values: [id, `${id}g`] });
  }
  const digits = toAsciiDigits(tidyPhone(text)).replaceAll(/[\s()+.-]/g, '');
  if (/^\d{4,15}$/.test(digits)) found.push(recipientLike('phone', `%${digits.slice(-10)}`));
  if (/^\d{6}$/.test(digits)) found.push(recipientLike('postal_code', digits));
  if (/[^\d\s()+.-]/.test(text)) found.push(recipientLike('recipient', `%${escaped(lowerCase(text))}%`));
  return found;
}

const NOTHING: Condition = { sql: '1 = 0', values: [] };

function textCondition(text: string): Condition {
  const [first = NOTHING, ...others] = meanings(text);
  const all = [first, ...others];
  return {
    sql: `(${all.map(({ sql }) => sql).join(' OR ')})`,
    values: all.flatMap(({ values }) => values),
  };
}

/** The filter as the conditions of a query. */
export function conditionsOf({ status, from, until, text = '' }: OrderFilter): Condition[] {
  return [
    ...(status === undefined ? [] : [{ sql: 'status = ?', values: [status] }]),
    ...(from === undefined ? [] : [{ sql: 'created_at >= ?', values: [from] }]),
    ...(until === undefined ? [] : [{ sql: 'created_at < ?', values: [until] }]),
    ...(text.trim() === '' ? [] : [textCondition(text.trim())]),
  ];
}
