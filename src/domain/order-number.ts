import { tidyCode } from './text.ts';

/** The first order is 1001, so that every number has at least four digits. */
export const BEFORE_FIRST_ORDER = 1_000;

/** In letters. With it, two dashes, seven digits and the suffix a number has at most 17 signs. */
const MAX_PREFIX_LENGTH = 4;

/** Returns the initials of the shop's name with a dash, such as 'FF-'. Without Latin letters it is empty. */
export function initialsOf(storeName: string): string {
  const words = storeName.toUpperCase().match(/[A-Z]+/g) ?? [];
  const initials = words.length > 1 ? words.map(([initial]) => initial).join('') : (words[0] ?? '');
  return initials && `${initials.slice(0, words.length > 1 ? MAX_PREFIX_LENGTH : 2)}-`;
}

/** Crockford's base 32: no I, L or O, which look like 1 and 0, and no U, which looks like V. */
export const SUFFIX_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const LOOKALIKES: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0', U: 'V' };

const withoutLookalikes = (text: string): string =>
  text.replaceAll(/[ILOU]/g, (sign) => LOOKALIKES[sign] ?? sign);

export const SUFFIX_LENGTH = 4;

interface NumberParts {
  readonly prefix: string;
  /** Counts the orders, from 1. It has gaps. */
  readonly count: number;
  /** Random signs. Without them, strangers could find orders by counting. */
  readonly suffix: string;
}

/** Formats a number such as 'FF-1042-7K3Q'. */
export const shownNumber = ({ prefix, count, suffix }: NumberParts): string =>
  `${prefix}${count + BEFORE_FIRST_ORDER}-${suffix}`;

/** Returns 'FF-1042' for 'FF-1042-7K3Q', for texts that other people than the customer read. */
export const withoutSuffix = (number: string): string => number.slice(0, -1 - SUFFIX_LENGTH);

const ORDER_ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/** Reads the id of an order in typed or pasted text. Ignores case, blanks, and text before or after it. */
export const orderIdIn = (text: string): string | undefined =>
  ORDER_ID.exec(tidyCode(text.slice(0, 200)).replaceAll(' ', '').toLowerCase())?.[0];

const PRINTED = /\b[1-9]\d{3,6}-[\dA-Z]{4}(?![\p{L}\p{M}\d-])/u;

const WRITTEN = /^[\p{L}\p{M}]*([1-9IL][\dILO]{3,6})([\dA-Z]{4})?$/u;

/**
 * Reads a number as people write it: 'ff 1042 7k3q', 'Order #1042-7K3Q', 'FF-१०४२'. Ignores the prefix, and reads O as
 * 0 and I as 1. A printed number may be anywhere in the text.
 * @returns the count of the order, and the suffix if there is one; undefined for any other text
 */
export function parseOrderNumber(
  text: string,
): (Partial<NumberParts> & Pick<NumberParts, 'count'>) | undefined {
  const tidied = tidyCode(text.slice(0, 200)).toUpperCase();
  const written = (PRINTED.exec(tidied)?.[0] ?? tidied).replaceAll(/[^\p{L}\p{M}\d]/gu, '');
  const [, digits = '', suffix] = WRITTEN.exec(written) ?? [];
  const count = Number(withoutLookalikes(digits)) - BEFORE_FIRST_ORDER;
  // A name such as 'Lilli' has no digits and is not a number.
  return count > 0 && (suffix || /\d/.test(digits))
    ? { count, ...(suffix && { suffix: withoutLookalikes(suffix) }) }
    : undefined;
}
