import * as v from 'valibot';
import { expect, type TestContext } from 'vitest';
import { TokenSchema } from '#api/schema/account.ts';
import { ProductPageSchema } from '#api/schema/product.ts';
import type { CapabilityName } from '#domain/capabilities.ts';
import { toPaise } from '#domain/money.ts';
import { isPriced, type Product } from '#domain/product.ts';
import type { HookName, Target } from './hooks.ts';

export interface Ask {
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

export const PASSWORD = 'sechs-Äpfel 🍎';
export const ADDRESS = {
  fullName: 'Asha Rao',
  address: '12 MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  postalCode: '411001',
  phone: '+91 98765 43210',
};
export const JSON_TYPE = { 'Content-Type': 'application/json' };

let target: Target | undefined;
let context: TestContext | undefined;

/** Remembers the test that runs. The setup of each file has to ask for it, because files share their modules. */
export const noteTest = (given: TestContext): void => {
  context = given;
};

/** Called by the setup file of `npm run contract`. Elsewhere the reference API is tested. */
export function takeTarget(given: Target): void {
  target = given;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const newEmail = (): string => `asha-${crypto.randomUUID()}@example.com`;

/** A hook, or an offer of the backend. */
export type Need = HookName | CapabilityName;

export interface Customer {
  readonly email: string;
  readonly token: string;
}

/** The customers that all tests share where the backend cannot be reset: it may let only a few register. */
const shared: Customer[] = [];

/** Two products with a price, the first ones that are on sale. */
async function twoProducts(ask: (path: string) => Promise<{ json: unknown }>): Promise<[Product, Product]> {
  const { products } = await v.parseAsync(ProductPageSchema, (await ask('/products?limit=100')).json);
  const [first, second] = products.filter((product) => isPriced(product) && product.sizes.length === 0);
  if (!first || !second) throw new Error('The contract needs two products with a price and without sizes.');
  return [first, second];
}

/**
 * The backend under test, with an empty shop where it can be reset. Skips the test where a hook or a capability that it
 * needs is missing.
 */
export async function backend(...needs: readonly Need[]) {
  if (!context) throw new Error('A backend is for tests.');
  target ??= (await import('./reference.ts')).reference;
  const { base, origin, hooks, capabilities, missing } = target;
  const skip = (reason: string) => context?.skip(reason);
  const call = missing.find((name) => context?.task.suite?.name === name);
  if (call) skip('the call is missing');
  const isThere = (name: string): boolean => capabilities.some((offer) => offer === name) || name in hooks;
  const lacking = needs.filter((name) => !isThere(name));
  if (lacking.length > 0) skip(`needs ${lacking.join(' and ')}`);
  await hooks.reset?.();

  async function ask(path: string, { method, json, body, token, headers = {} }: Ask = {}) {
    const sent = json === undefined ? body : JSON.stringify(json);
    const request = new Request(base + path, {
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: {
        ...(json === undefined ? {} : JSON_TYPE),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const response = await (hooks.send ?? fetch)(request).catch((cause: unknown) => {
      throw new Error(`${request.method} ${path} got no answer`, { cause });
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: asJson(text) };
  }

  /** Registers somebody. Skips the test where the backend lets no more people register for now. */
  async function register(more: object = {}) {
    const person = { email: newEmail(), password: PASSWORD, firstName: 'Asha', lastName: 'Rao', ...more };
    const answer = await ask('/users/register', { json: person });
    if (answer.status === 429)
      skip('the backend lets nobody else register now: raise its limit for this run');
    return { ...answer, person };
  }

  async function newCustomer(): Promise<Customer> {
    const { person, status } = await register();
    expect(status, 'POST /users/register').toBeLessThan(300);
    const { json } = await ask('/users/authorize', { json: { email: person.email, password: PASSWORD } });
    return { email: person.email, token: v.parse(TokenSchema, json).token ?? '' };
  }

  let people = 0;
  /** Somebody who is signed in; somebody else at each call. */
  async function customer(): Promise<Customer> {
    people += 1;
    if (hooks.reset) return newCustomer();
    const known = shared[people - 1] ?? (await newCustomer());
    shared[people - 1] = known;
    return known;
  }

  const [product, other] = await twoProducts(ask);
  const order = (token: string, products: Record<string, unknown> = { [product.id]: 2 }, more: object = {}) =>
    ask('/orders', { token, json: { products, shippingAddress: ADDRESS, ...more } });

  return {
    origin,
    capabilities,
    hooks,
    ask,
    register,
    customer,
    /** Places an order and returns its answer. */
    order,
    product,
    other,
    /** The sum of products and quantities in rupees, exactly. */
    sum: (...lines: readonly [Product, number][]): number =>
      lines.reduce((paise, [{ price }, quantity]) => paise + toPaise(price) * quantity, 0) / 100,
    /** What the reference API says. Other backends may use words of their own. */
    said: (words: string): string => (hooks.ownWords ? words : expect.any(String)),
  };
}

/** What two answers must not differ in: all but the time and the number of the request. */
export const shapeOf = ({ status, text, headers }: { status: number; text: string; headers: Headers }) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !/^(?:date|x-request-id|keep-alive|connection)$/.test(name)),
});
