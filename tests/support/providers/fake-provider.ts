import { serve } from '@hono/node-server';
import type { Hono } from 'hono';

/** What a provider would send to the shop. */
export interface Webhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a payment ends at the provider. */
export interface Ending {
  readonly outcome: 'succeeded' | 'failed' | 'expired';
  /** What is paid, where it is not what was asked for, in paise. */
  readonly paise?: number;
  readonly currency?: string;
}

/** A call that the shop made. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** How a fake is started. */
export interface FakeOptions {
  /** Where the page is on which the shopper pays; the payment's reference follows. */
  readonly pages?: string;
}

export type FakeFailure = 'down' | 'html' | 'busy' | 'wrong-key' | 'slow';

/** A provider of payments as its public documentation describes it, as strict as the real one. */
export interface FakeProvider {
  /** The name under which the shop knows it. */
  readonly name: string;
  /** The settings with which a shop uses it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly received: readonly Received[];
  /** The references of the payments that were begun. */
  readonly references: () => readonly string[];
  /** Where it sends the shopper back to: the address that the shop gave it, with what the provider adds. */
  readonly returnUrl: (reference: string) => string;
  /** The payments that were really made for a reference, in paise. */
  readonly paid: (reference: string) => readonly number[];
  /** What was given back of a payment, in paise. */
  readonly refunded: (reference: string) => number;
  /** Lets the shopper end the payment, and returns the webhooks that the provider has for it. @param now ms since 1970 */
  readonly end: (reference: string, ending: Ending, now: number) => readonly Webhook[];
  /** How the next refunds end: at once, later by `settleRefunds`, or not. */
  readonly setRefunds: (kind: 'done' | 'pending' | 'refused') => void;
  readonly settleRefunds: (now: number) => readonly Webhook[];
  readonly failWith: (kind: FakeFailure | undefined) => void;
  readonly close: () => Promise<void>;
}

/** Answers every call as a provider in failure does. */
export function errorAnswer(kind: FakeFailure): Promise<Response> | Response {
  if (kind === 'html')
    return new Response('<h1>Maintenance</h1>', { headers: { 'Content-Type': 'text/html' } });
  if (kind === 'busy') return Response.json({}, { status: 429 });
  if (kind === 'wrong-key')
    return Response.json({ error: { description: 'The api key provided is invalid' } }, { status: 401 });
  if (kind === 'slow') return new Promise(() => {});
  return new Response('', { status: 502 });
}

/** Lets a fake listen on a free port of this computer. */
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
