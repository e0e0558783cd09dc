import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { parseExact } from './exact-json.ts';
import type { WebhookNews, WebhookResult } from './provider.ts';

/** A part of a webhook. One that cannot be read counts as absent, so that the others are still read. */
export const part = <S extends v.ObjectEntries>(entries: S) =>
  v.fallback(v.optional(v.object(entries)), undefined);

export const optionalText = v.fallback(v.optional(v.string()), undefined);

/** Reads a webhook whose signature was checked. @param read returns undefined for what is none of the provider's */
export function readSigned(
  isSigned: boolean,
  rawBody: string,
  read: (body: unknown) => WebhookNews | undefined,
): WebhookResult {
  if (!isSigned) return { kind: 'refused', status: 401, reason: 'wrong signature' };
  let news: WebhookNews | undefined;
  try {
    news = read(parseExact(rawBody));
  } catch {
    return { kind: 'refused', status: 400, reason: 'not JSON' };
  }
  return news
    ? { kind: 'news', ...news }
    : { kind: 'refused', status: 400, reason: 'not a webhook of this provider' };
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
