import type { Paise } from '#domain/money.ts';

declare global {
  interface JSON {
    /** Writes a number into JSON verbatim (ECMAScript's JSON.parse source text access). */
    rawJSON(text: string): object;
  }
}

/** A number as JSON writes it, or a text that holds one. */
const DECIMAL = /^(\d{1,15})(?:\.(\d{1,15}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Parses JSON with every number as its source text, because a float would not be exact. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? '') : value,
  );
}

/**
 * Reads an amount in whole units of the currency, such as 500, 500.0 or 5e2.
 * @returns paise; undefined if the text is no such amount, or has a part of a paisa
 */
export function exactPaise(amount: string): Paise | undefined {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(amount) ?? [];
  if (whole === '') return undefined;
  const digits = BigInt(whole + fraction);
  const power = Number(exponent) - fraction.length + 2;
  const divisor = power < 0 ? 10n ** BigInt(-power) : 1n;
  if (digits % divisor !== 0n) return undefined;
  const paise = (digits / divisor) * (power > 0 ? 10n ** BigInt(power) : 1n);
  return paise <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(paise) : undefined;
}

/** Reads a whole number of paise, such as 50000. Returns undefined for any other text. */
export const wholePaise = (amount: string): Paise | undefined =>
  /^\d{1,15}$/.test(amount) ? Number(amount) : undefined;
