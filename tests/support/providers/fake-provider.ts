import { serve } from '@hono/node-server';
import type { Hono } from 'hono';

/** A webhook request to the shop. */
export interface Webhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Ending {
  readonly outcome: 'succeeded' | 'failed' | 'expired';
  /** What the provider says it asked for and got, if that is not the shop's amount. In paise, as all amounts. */
  readonly paise?: number;
  /** What an offer of the provider takes off. */
  readonly discount?: number;
  readonly currency?: string;
}

/** A request from the shop. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface FakeOptions {
  /** The URL of the payment page; the payment's reference follows. */
  readonly pages?: string;
}

/** What a bank or the owner decides at the provider about money that came. */
export interface FakeDispute {
  readonly paise: number;
  readonly state: 'open' | 'under_review' | 'won' | 'lost';
  /** ms since 1970 */
  readonly respondBy: number;
}

export type FakeFailure = 'down' | 'html' | 'busy' | 'wrong-key' | 'slow';

/** A provider of payments as its public documentation describes it, as strict as the real one. */
export interface FakeProvider {
  /** As in PAYMENT_PROVIDERS. */
  readonly name: string;
  /** The shop's environment variables for it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly received: readonly Received[];
  readonly references: () => readonly string[];
  /** The shop's return URL, with the query that the provider adds. */
  readonly returnUrl: (reference: string) => string;
  /** The amounts that were paid for a reference, in paise. */
  readonly paid: (reference: string) => readonly number[];
  /** The refunded sum of a payment, in paise. */
  readonly refunded: (reference: string) => number;
  /** Ends the payment, even one that has expired, and returns the provider's webhooks. @param now ms since 1970 */
  readonly end: (reference: string, ending: Ending, now: number) => readonly Webhook[];
  /** The result of the next refunds: done at once, later by `settleRefunds`, or refused. */
  readonly setRefunds: (kind: 'done' | 'pending' | 'refused') => void;
  /** Somebody refunds in the provider's dashboard. */
  readonly refundThere: (reference: string, paise: number, now: number) => readonly Webhook[];
  /** Opens the dispute of a payment, or changes it. */
  readonly dispute: (reference: string, dispute: FakeDispute, now: number) => readonly Webhook[];
  /** Refuses to start payments, with this message. */
  readonly refuse: (words: string | undefined) => void;
  readonly settleRefunds: (now: number) => readonly Webhook[];
  readonly failWith: (kind: FakeFailure | undefined) => void;
  readonly close: () => Promise<void>;
}

export function errorAnswer(kind: FakeFailure): Promise<Response> | Response {
  if (kind === 'html')
    return new Response('<h1>Maintenance</h1>', { headers: { 'Content-Type': 'text/html' } });
  if (kind === 'busy') return Response.json({}, { status: 429 });
  if (kind === 'wrong-key')
    return Response.json({ error: { description: 'The api key provided is invalid' } }, { status: 401 });
  if (kind === 'slow') return new Promise(() => {});
  return new Response('', { status: 502 });
}

export function listen(app: Hono): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      }),
    );
  });
}
