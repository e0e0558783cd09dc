import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { Paise } from '#domain/money.ts';
import { Refusal } from '#server/http/refusal.ts';

/* What providers send: JSON with exact numbers, amounts, and signed webhooks. */

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

/** A part of a webhook. One that cannot be read counts as absent, so that the others are still read. */
export const part = <S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined);

/** An object of texts: numbers are texts here, too. An optional one that cannot be read counts as absent. */
export const texts = <const Name extends string, const Optional extends string>(
  names: readonly Name[],
  optional: readonly Optional[],
) =>
  v.object({
    ...v.entriesFromList(names, v.string()),
    ...v.entriesFromList(optional, part(v.string())),
  });

/** Reads a webhook whose signature was checked. @throws Refusal, which says what is wrong */
export function readSigned<S extends v.GenericSchema>(
  isSigned: boolean,
  rawBody: string,
  schema: S,
): v.InferOutput<S> {
  if (!isSigned) throw new Refusal(401, 'wrong signature');
  try {
    return v.parse(schema, parseExact(rawBody));
  } catch {
    throw new Refusal(400, 'not a webhook of this provider');
  }
}

/** The names that are there. */
export const namesOf = (...names: readonly (string | undefined)[]): string[] =>
  [...new Set(names)].flatMap((name) => name || []);

/** Whether the signature is the HMAC-SHA256 of the text. Compares in constant time. */
export function isHmac(
  encoding: 'hex' | 'base64',
  secret: string,
  text: string,
  signature: string | null | undefined,
): boolean {
  const right = Buffer.from(createHmac('sha256', secret).update(text).digest(encoding));
  const given = Buffer.from(signature ?? '');
  return given.length === right.length && timingSafeEqual(given, right);
}
