import pLimit from 'p-limit';
import * as v from 'valibot';
import { parseExact } from './exact-json.ts';

/** A shopper's payment page gives up after 10 s, so the provider has less, for all calls of one start together. In ms. */
export const DEADLINE = 8_000;

/** The longest answer that is read, in bytes. A QR code as a picture takes a few thousand. */
const ANSWER_MOST = 512 * 1024;

export const PROVIDER_ERROR_KINDS = ['unreachable', 'busy', 'wrong-key', 'unreadable', 'refused'] as const;

export type ProviderErrorKind = (typeof PROVIDER_ERROR_KINDS)[number];

/** Why a provider did not do what it was asked for. Its text holds no key and nothing of the shopper. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** The provider's own words; '' where it said none. */
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

/** How many requests a provider gets from this process at the same moment, whoever caused them. */
const MOST_AT_ONCE = 8;

const limits = new Map<string, ReturnType<typeof pLimit>>();

function limitOf(provider: string): ReturnType<typeof pLimit> {
  const limit = limits.get(provider) ?? pLimit(MOST_AT_ONCE);
  limits.set(provider, limit);
  return limit;
}

/** One deadline for all the calls that a step makes. */
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

/** Asks a provider. A 4xx that is neither about the key nor about too many requests is returned. @throws ProviderError */
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

/** Reads an answer by its schema. @throws ProviderError where the answer is another */
export function readAnswer<S extends v.GenericSchema>(
  provider: string,
  schema: S,
  body: unknown,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) throw new ProviderError(provider, 'unreadable');
  return parsed.output;
}
