import { tidyCode } from './text.ts';

/** The first order is 1001, so that every number has at least four digits. */
export const BEFORE_FIRST_ORDER = 1_000;

/** In letters. With it, a dash and seven digits a number has at most 12 signs. */
const LONGEST_PREFIX = 4;

/** Returns the initials of the shop's name with a dash, such as 'FF-'. Without Latin letters it is empty. */
export function initialsOf(storeName: string): string {
  const words = storeName.toUpperCase().match(/[A-Z]+/g) ?? [];
  const initials = words.length > 1 ? words.map(([initial]) => initial).join('') : (words[0] ?? '');
  return initials && `${initials.slice(0, words.length > 1 ? LONGEST_PREFIX : 2)}-`;
}

/** Returns such as 'FF-1042'. @param count of the shop's orders, with this one */
export const shownNumber = (prefix: string, count: number): string =>
  `${prefix}${count + BEFORE_FIRST_ORDER}`;

const ORDER_ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/** Reads the id of an order in typed or pasted text: capitals, blanks, and what stands before or after it do not matter. */
export const orderIdIn = (text: string): string | undefined =>
  ORDER_ID.exec(tidyCode(text.slice(0, 200)).replaceAll(' ', '').toLowerCase())?.[0];

/**
 * Reads a number as people write it: 'ff 1042', '#1042', '१०४२'. The prefix does not matter.
 * @returns the count of the order, undefined for any other text
 */
export function countOfNumber(text: string): number | undefined {
  const written = tidyCode(text.slice(0, 100)).replaceAll(/[^\p{L}\p{M}\d]/gu, '');
  const [, digits] = /^[\p{L}\p{M}]*(\d{4,7})$/u.exec(written) ?? [];
  const count = Number(digits) - BEFORE_FIRST_ORDER;
  return count > 0 ? count : undefined;
}
