import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { waitText } from '#domain/date.ts';

/** What is wrong with an order, for the storefront to act on. */
export interface Problem {
  readonly code: string;
  /** The id of the product, or the name of the field. */
  readonly target: string;
  /** What the order costs, if the shopper was shown less. Units: rupees. */
  readonly total?: number;
}

/** An error that becomes the answer to the request, wherever a route throws it. */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: Problem | undefined;

  constructor(
    status: ContentfulStatusCode,
    text: string,
    { headers = {}, problem }: { headers?: Readonly<Record<string, string>>; problem?: Problem } = {},
  ) {
    super(text);
    this.status = status;
    this.headers = headers;
    this.problem = problem;
  }

  get body(): { error: string; message?: string } & Partial<Problem> {
    return { error: this.message, ...(this.problem && { ...this.problem, message: this.message }) };
  }
}

/** Returns what `otherwise` does if the work is refused. Rethrows other errors. */
export const ifRefused = <T>(work: Promise<T>, otherwise: () => T | Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (error instanceof Refusal) return otherwise();
    throw error;
  });

export const unauthorized = (): Refusal =>
  new Refusal(401, 'Unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });

/** The answer is the same for an unknown order, another customer's order and a wrong contact. */
export const orderNotFound = (): Refusal => new Refusal(404, 'Order not found or access denied');

/** @param seconds how long to wait before the next attempt may succeed */
export const tooMany = (seconds: number): Refusal =>
  new Refusal(429, `Too many attempts. Please try again in ${waitText(seconds)}.`, {
    headers: { 'Retry-After': String(seconds) },
  });

export const unavailable = (): Refusal =>
  new Refusal(503, 'The service is busy. Please try again in a moment.', { headers: { 'Retry-After': '1' } });

export const orderProblem = (code: string, target: string, text: string, more?: { total: number }): Refusal =>
  new Refusal(422, text, { problem: { code, target, ...more } });
