import type { CapabilityName } from '#domain/capabilities.ts';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';

/**
 * What a backend can do for its tests that HTTP alone cannot. Each hook is optional: tests that need a missing one are
 * skipped and named. A file for `--hooks` exports an object of this type as `hooks`; tests/contract/support/reference.ts is
 * the reference API's.
 */
export interface Hooks {
  /** Forgets customers, orders and limits, before each test. Without it the tests share two customers. */
  readonly reset?: () => Promise<void>;
  /** Sells exactly these products from now on, in this order. */
  readonly sell?: (products: readonly CatalogueProduct[]) => Promise<void>;
  /** Moves the backend's clock forward, in ms. */
  readonly pass?: (milliseconds: number) => Promise<void>;
  /** Gives an order another status. */
  readonly setStatus?: (orderId: string, status: number) => Promise<void>;
  /** The `lines` that an order was sent with. */
  readonly linesOf?: (orderId: string) => Promise<unknown>;
  /** Sends a request in place of `fetch`. */
  readonly send?: (request: Request) => Promise<Response>;
  /** Whether errors have the reference API's own words and codes, which the specification leaves open. */
  readonly ownWords?: boolean;
}

export type HookName = keyof Hooks;

/** The backend under test. */
export interface Target {
  /** Such as https://api.example/api/v1 */
  readonly base: string;
  /** The origin of the shop, which the backend has to let in (CORS). */
  readonly origin: string;
  readonly capabilities: readonly CapabilityName[];
  /** The calls that the backend does not have, such as 'GET /orders'. */
  readonly missing: readonly string[];
  readonly hooks: Hooks;
}
