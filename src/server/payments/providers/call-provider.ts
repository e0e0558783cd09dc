import pLimit from 'p-limit';
import * as v from 'valibot';
import { parseExact } from './exact-json.ts';

/** For all calls of one start together, in ms. A shopper's payment page gives up after 10 s. */
export const DEADLINE = 8_000;

/** The longest answer that is read, in bytes. A QR code as an image takes a few thousand. */
const ANSWER_MOST = 512 * 1024;

export const PROVIDER_ERROR_KINDS = ['unreachable', 'busy', 'wrong-key', 'unreadable', 'refused'] as const;

export type ProviderErrorKind = (typeof PROVIDER_ERROR_KINDS)[number];

export type RefusalCause = 'amount' | 'phone' | 'currency' | 'other';

/** What a provider's refusal is about. Its codes are many, but its message names the field. */
export function refusalCause(words: string): RefusalCause {
  if (/phone|contact|mobile/i.test(words)) return 'phone';
  if (/currenc/i.test(words)) return 'currency';
  return /amount/i.test(words) ? 'amount' : 'other';
}

/** A failed call of a provider. Its text holds no key and no data of the shopper. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** The provider's message; '' if there is none. */
  readonly words: string;
  constructor(provider: string, kind: ProviderErrorKind, words = '') {
    super(`${provider}: ${kind}${words ? `: ${words}` : ''}`);
    this.kind = kind;
    this.words = words;
  }
}

export interface ProviderCall {
  /** As in the log. */
  readonly provider: string;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** JSON */
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface ProviderAnswer {
  readonly status: number;
  /** Parsed JSON, with every number as text. */
  readonly body: unknown;
}

/** Per provider and process. */
const MOST_AT_ONCE = 8;

const limits = new Map<string, ReturnType<typeof pLimit>>();

function limitOf(provider: string): ReturnType<typeof pLimit> {
  const limit = limits.get(provider) ?? pLimit(MOST_AT_ONCE);
  limits.set(provider, limit);
  return limit;
}

/** One deadline for all the calls of a step. */
export const deadline = (): AbortSignal => AbortSignal.timeout(DEADLINE);

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > ANSWER_MOST) throw new Error('too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** Calls a provider. Returns a 4xx, except those for the key (401, 403) and the rate (429). @throws ProviderError */
export const callProvider = (call: ProviderCall): Promise<ProviderAnswer> =>
  limitOf(call.provider)(() => request(call));

async function request(call: ProviderCall): Promise<ProviderAnswer> {
  const { provider, url, method, headers, body, signal } = call;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal,
    });
    text = await readText(response);
  } catch {
    throw new ProviderError(provider, 'unreachable');
  }
  const { status } = response;
  if (status === 401 || status === 403) throw new ProviderError(provider, 'wrong-key');
  if (status === 429) throw new ProviderError(provider, 'busy');
  if (status >= 500) throw new ProviderError(provider, 'unreachable');
  try {
    return { status, body: parseExact(text) };
  } catch {
    throw new ProviderError(provider, 'unreadable');
  }
}

/** @throws ProviderError if the answer does not fit the schema */
export function readAnswer<S extends v.GenericSchema>(
  provider: string,
  schema: S,
  body: unknown,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) throw new ProviderError(provider, 'unreadable');
  return parsed.output;
}

/** Reads what the provider may not answer, such as the disputes of a new account. It must not hide the rest of a poll. */
export async function readIfAny<S extends v.GenericSchema>(
  answer: Promise<ProviderAnswer>,
  schema: S,
): Promise<v.InferOutput<S> | undefined> {
  const { status, body } = await answer.catch(() => ({ status: 0, body: undefined }));
  const parsed = v.safeParse(schema, body);
  return status === 200 && parsed.success ? parsed.output : undefined;
}
