import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import type { ApiProcess } from './api-process.ts';

/** A request, with its expected answer. */
interface Call<Content> {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** 200 by default. */
  readonly status?: number;
  readonly isRight?: (content: Content) => boolean;
}

export interface CallStats {
  /** Connections that broke at a killed process. */
  lost: number;
  /** Answers to retry. */
  refused: number;
  /** Each wrong answer: another status, wrong data, or a connection that broke at a process that was not killed. */
  readonly complaints: string[];
}

/** The timeout of the shop's pages, and the pause before a retry, in ms. */
const TIMEOUT = 10_000;
const PAUSE = 15;
/** How many characters of a wrong answer are printed. */
const LONGEST_TEXT = 200;
/** 409: the same request is in progress on another connection. 503: the API cannot store at the moment. */
const RETRIED_STATUSES = [409, 503];

const sendTo = async (
  { url }: ApiProcess,
  { path, body, headers = {} }: Call<never>,
): Promise<{ status: number; text: string; retryAfter: string | null }> => {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const retryAfter = answer.headers.get('retry-after');
  return { status: answer.status, text: await answer.text(), retryAfter };
};

/** Returns undefined if the text does not fit the schema. */
function read<S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return parsed.success ? parsed.output : undefined;
}

/** @param next returns the process for the next request */
export function createClient(next: () => ApiProcess) {
  const stats: CallStats = { lost: 0, refused: 0, complaints: [] };

  /** Retries on one process after another. Returns undefined after a wrong answer. */
  async function request<S extends v.GenericSchema>(
    schema: S,
    call: Call<v.InferOutput<S>>,
  ): Promise<{ content: v.InferOutput<S>; by: ApiProcess } | undefined> {
    const { path, status = 200, isRight = () => true } = call;
    const complain = (text: string) => void stats.complaints.push(`${path}: ${text}`);
    while (true) {
      const by = next();
      try {
        const answer = await sendTo(by, call);
        const content = answer.status === status ? read(schema, answer.text) : undefined;
        if (content !== undefined && isRight(content)) return { content, by };
        if (!RETRIED_STATUSES.includes(answer.status)) {
          complain(`${answer.status} ${answer.text.slice(0, LONGEST_TEXT)}`);
          return undefined;
        }
        if (answer.retryAfter === null) complain(`${answer.status} without Retry-After`);
        stats.refused += 1;
      } catch (error) {
        if (!by.isKilled()) complain(`the connection to a living process broke: ${String(error)}`);
        stats.lost += 1;
      }
      await pause(PAUSE);
    }
  }

  return { request, stats };
}
