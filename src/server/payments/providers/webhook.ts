import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { Refusal } from '#server/http/refusal.ts';
import { parseExact } from './exact-json.ts';

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
