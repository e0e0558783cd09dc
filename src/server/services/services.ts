import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { FilteredProduct } from '#domain/product-filters.ts';
import type { StoreRecord } from '#domain/store-fields.ts';
import type { Database } from '#server/db/database.ts';
import type { CompressedAnswers } from '#server/http/cached-answer.ts';
import type { Caller } from '#server/http/caller.ts';
import type { Payers, Spend } from '#server/limits/counts.ts';
import type { Lanes } from '#server/limits/queue.ts';
import type { Counts } from '#server/limits/table.ts';
import type { Clock } from '#server/process/clock.ts';
import type { Log } from '#server/process/log.ts';
import type { Settings } from '#server/settings/settings.ts';
import type { Metrics } from './metrics.ts';

/** One version of the catalogue, as JSON that is ready to send. */
export interface CatalogueCache {
  readonly etag: string;
  readonly compressed: CompressedAnswers;
  readonly storeInfo: string;
  readonly storeTerms: string;
  /** UPI apps show it as the payee. */
  readonly storeName: string;
  /** Returns the name now of a category that was renamed; both in lower case. */
  readonly categoryNow: (name: string) => string;
  readonly cashOnDelivery: StoreRecord['cashOnDelivery'];
  /** With the pieces that are left, which change more often than the lists. */
  readonly product: (id: string) => string | undefined;
  readonly productEtag: string;
  /** Returns the first products with all words of a text in their title or id, as `product` does. */
  readonly find: (text: string, max: number) => string[];
  /** Returns a page of the matching products, and their number. `key` identifies the filter in the cache. */
  readonly list: (
    matches: (product: FilteredProduct) => boolean,
    from: number,
    count: number,
  ) => { page: string[]; total: number };
}

export interface Customer {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** ms since 1970 */
  readonly createdAt: number;
  /** 1 once the email is verified. */
  readonly emailVerified: number;
}

/** The context of a request: Node's request and response, and what middleware adds. */
export interface Env {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Identifies the request in the log and in X-Request-Id. */
    requestId: string;
    /** Set for every POST. */
    body: string;
    /** Set for calls that need a token. */
    customer: Customer;
  };
}

/** What `createApp` is given, so that tests can replace the clock, the database and everything else. */
export interface Collaborators {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly log: Log;
  /** Whether the server is stopping. Proxies should then send it no more requests. */
  readonly isStopping?: () => boolean;
  /** Rate limits that replace those of the table. */
  readonly counts?: Counts;
}

export interface Services extends Collaborators {
  readonly catalogue: () => Promise<CatalogueCache>;
  /** undefined unless METRICS_TOKEN is set */
  readonly metrics: Metrics | undefined;
  /** The queues and rate limits. */
  readonly limits: { readonly lane: Lanes; readonly spend: Spend };
  /** The background jobs whose last run failed: the event in the log, and since when, in ms since 1970. */
  readonly failingJobs: Map<string, number>;
  readonly callerOf: (context: Context) => Caller;
  /** The account of the signed-in customer, and the line and network that pay with it. */
  readonly payersOf: (context: Context<Env>) => Payers & { readonly account: string };
  /** The origin at which browsers reach this API. */
  readonly apiOrigin: string;
}
