import type { CapabilityName } from '#domain/capabilities.ts';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';

/**
 * What a backend can do for its tests beyond HTTP. Each hook is optional: tests that need a missing one are skipped and
 * reported. A file for `--hooks` exports an object of this type as `hooks`; tests/contract/support/reference.ts has those
 * of the reference API.
 */
export interface Hooks {
  /** Clears customers, orders and limits before each test. Without it the tests share two customers. */
  readonly reset?: () => Promise<void>;
  /** Sells exactly these products from now on, in this order. */
  readonly sell?: (products: readonly CatalogueProduct[]) => Promise<void>;
  /** Advances the backend's clock, in ms. */
  readonly pass?: (milliseconds: number) => Promise<void>;
  /** Gives an order another status. */
  readonly setStatus?: (orderId: string, status: number) => Promise<void>;
  /** Returns the `lines` that an order was placed with. */
  readonly linesOf?: (orderId: string) => Promise<unknown>;
  /** Sends a request in place of `fetch`. */
  readonly send?: (request: Request) => Promise<Response>;
  /** Whether errors have the reference API's texts and codes, which the specification leaves open. */
  readonly ownWords?: boolean;
}

export type HookName = keyof Hooks;

/** The backend under test. */
export interface Target {
  /** Such as https://api.example/api/v1 */
  readonly base: string;
  /** The origin of the site, which the backend must allow (CORS). */
  readonly origin: string;
  readonly capabilities: readonly CapabilityName[];
  /** The calls that the backend does not have, such as 'GET /orders'. */
  readonly missing: readonly string[];
  readonly hooks: Hooks;
}
