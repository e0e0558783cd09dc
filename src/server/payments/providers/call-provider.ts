import * as v from 'valibot';
import type { RefundAnswer } from './provider.ts';
import { parseExact } from './provider-data.ts';

/** For all calls of one step together, in ms. A shopper's payment page gives up after 10 s. */
export const DEADLINE = 8_000;

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

interface Answer {
  readonly status: number;
  /** Parsed JSON, with every number as text. */
  readonly body: unknown;
}

type Headers = Readonly<Record<string, string>>;

/** Returns a 4xx, except those for the key (401, 403) and the rate (429). @throws ProviderError */
export type Call = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  headers?: Headers,
) => Promise<Answer>;

/**
 * Calls a provider.
 * @param title of the provider, for errors
 * @param messageOf the provider's message in the body of a refusal
 */
export function createClient(
  title: string,
  apiUrl: string,
  keys: Headers,
  messageOf: v.GenericSchema<unknown, string>,
) {
  async function request(signal: AbortSignal, ...[method, path, body, headers]: Parameters<Call>) {
    let response: Response;
    let text: string;
    try {
      response = await fetch(apiUrl + path, {
        method,
        headers: {
          Accept: 'application/json',
          ...(body && { 'Content-Type': 'application/json' }),
          ...keys,
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal,
      });
      text = await response.text();
    } catch {
      throw new ProviderError(title, 'unreachable');
    }
    const { status } = response;
    if (status === 401 || status === 403) throw new ProviderError(title, 'wrong-key');
    if (status === 429) throw new ProviderError(title, 'busy');
    if (status >= 500) throw new ProviderError(title, 'unreachable');
    try {
      return { status, body: parseExact(text) };
    } catch {
      throw new ProviderError(title, 'unreadable');
    }
  }

  /** Begins a step, once it has its place (`limits/table.ts`). All its calls have one deadline. */
  function begin(): Call {
    const signal = AbortSignal.timeout(DEADLINE);
    return (...given) => request(signal, ...given);
  }

  /** @throws ProviderError if the answer is a refusal, or does not fit the schema */
  function read<S extends v.GenericSchema>(schema: S, { status, body }: Answer): v.InferOutput<S> {
    const parsed = v.safeParse(schema, body);
    if (status !== 200 || !parsed.success) throw new ProviderError(title, 'unreadable');
    return parsed.output;
  }

  /** The provider's message in a refusal; '' if there is none. */
  function wordsOf({ body }: Answer): string {
    const parsed = v.safeParse(messageOf, body);
    return parsed.success ? parsed.output.slice(0, 200) : '';
  }

  return {
    begin,
    read,

    refusal: (answer: Answer): ProviderError => new ProviderError(title, 'refused', wordsOf(answer)),

    /** Reads the answer to the request for a refund. */
    refundAnswer(schema: v.GenericSchema<unknown, RefundAnswer>, made: Answer): RefundAnswer {
      if (made.status === 200) return read(schema, made);
      // Another process is making it.
      if (made.status === 409) return { state: 'requested' };
      return { state: 'failed', providerMessage: wordsOf(made) || `${title} refused it.` };
    },

    /** Makes a harmless request. Returns what is wrong, or undefined. */
    async check(path: string, expected: number): Promise<string | undefined> {
      const answer = await begin()('GET', path);
      return answer.status === expected ? undefined : wordsOf(answer) || `It answered ${answer.status}.`;
    },
  };
}

/** Reads what a provider may refuse, such as the disputes of a new account. It must not hide the rest of a poll. */
export const ifAny = <T>(found: Promise<T[]>): Promise<T[]> =>
  found.catch((error: unknown) => {
    if (error instanceof ProviderError) return [];
    throw error;
  });
