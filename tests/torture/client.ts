import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { createShopClient } from '#tests/support/shop-client.ts';
import type { ApiProcess } from './shop-processes.ts';

/** A request, with its expected answer. */
interface Call<Content> {
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** 200 by default. */
  readonly status?: number;
  readonly isRight?: (content: Content) => boolean;
}

/** The pause before a retry, in ms: retries must not slow down the start of a process. */
const PAUSE = 60;
/** How many characters of a wrong answer are printed. */
const MAX_TEXT_LENGTH = 200;
/** 409: the same request is in progress on another connection. 503: the API cannot store at the moment. */
const RETRIED_STATUSES = [409, 503];

/** @param next returns the process for the next request */
export function createClient(next: () => ApiProcess) {
  const stats = {
    /** Connections that broke at a killed process. */
    lost: 0,
    /** Answers to retry. */
    refused: 0,
    /** Each wrong answer: another status, wrong data, or a connection that broke at a process that was not killed. */
    complaints: [] as string[],
  };

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
        const answer = await createShopClient(by).send(path, call);
        const text = await answer.text();
        const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
        if (answer.status === status && success && isRight(output)) return { content: output, by };
        if (!RETRIED_STATUSES.includes(answer.status)) {
          complain(`${answer.status} ${text.slice(0, MAX_TEXT_LENGTH)}`);
          return undefined;
        }
        if (!answer.headers.has('Retry-After')) complain(`${answer.status} without Retry-After`);
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
