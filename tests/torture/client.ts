import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import type { ApiProcess } from './api-process.ts';

/** A call to the API, with what its answer must be. */
interface Call<Content> {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The status of its success, 200 by default. */
  readonly status?: number;
  readonly isRight?: (content: Content) => boolean;
}

export interface CallStats {
  /** How often a connection broke at a process that was killed. */
  lost: number;
  /** How often the answer was to try again. */
  refused: number;
  /** Each wrong answer: another status, wrong data, or a connection that broke at a process that was not killed. */
  readonly complaints: string[];
}

/** How long an answer may take, as in the shop's pages, and the pause before a call is sent again, in ms. */
const TIMEOUT = 10_000;
const PAUSE = 15;
/** How many characters of a wrong answer are printed. */
const LONGEST_TEXT = 200;
/** 409: the attempt is being handled on another connection. 503: the API cannot store at the moment. */
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

/** Reads JSON of a shape. Undefined for anything else. */
function read<S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return parsed.success ? parsed.output : undefined;
}

/** @param next the process that takes the next call */
export function createClient(next: () => ApiProcess) {
  const stats: CallStats = { lost: 0, refused: 0, complaints: [] };

  /** Sends a call to one process after the other until it succeeds. Undefined after a wrong answer. */
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
