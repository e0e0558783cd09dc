import * as v from 'valibot';
import { expect, type TestContext } from 'vitest';
import { TokenSchema } from '#api/schema/account.ts';
import { ProductPageSchema } from '#api/schema/product.ts';
import type { CapabilityName } from '#domain/capabilities.ts';
import { toPaise } from '#domain/money.ts';
import { isPriced, type Product } from '#domain/product.ts';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import { asJson } from '#tests/support/json-places.ts';
import type { HookName, Target } from './hooks.ts';

interface RequestOptions {
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

/** A product as `sell` takes it. A test names only the fields that it is about. */
export const forSale = (change: Partial<CatalogueProduct> & { id: string }): CatalogueProduct => ({
  title: change.id,
  description: '',
  imgUrl: 'https://pictures.example/mango.webp',
  category: 'Berries',
  parentCategory: 'Fresh Fruits',
  regularPrice: 10,
  discountedPrice: null,
  createdAt: '2025-01-01T00:00:00Z',
  images: [],
  attributes: [],
  ...change,
});

let target: Target | undefined;
let context: TestContext | undefined;

/** Stores the running test. The setup of each file calls it, because files share their modules. */
export const noteTest = (given: TestContext): void => {
  context = given;
};

/** Called by the setup file of `npm run contract`. Otherwise the reference API is tested. */
export function takeTarget(given: Target): void {
  target = given;
}

/** A hook or a capability of the backend. */
export type Need = HookName | CapabilityName;

interface Customer {
  readonly email: string;
  readonly token: string;
}

/** Shared by all tests if the backend cannot be reset, because it may limit registrations. */
const shared: Customer[] = [];

/** The first two products with a price and without sizes. */
async function twoProducts(
  request: (path: string) => Promise<{ json: unknown }>,
): Promise<[Product, Product]> {
  const { products } = await v.parseAsync(ProductPageSchema, (await request('/products?limit=100')).json);
  const [first, second] = products.filter((product) => isPriced(product) && product.sizes.length === 0);
  if (!first || !second) throw new Error('The contract needs two products with a price and without sizes.');
  return [first, second];
}

/** The backend under test, reset if possible. Skips the test without a hook or capability that it needs. */
export async function backend(...needs: readonly Need[]) {
  if (!context) throw new Error('A backend is for tests.');
  target ??= (await import('./reference.ts')).reference;
  const { base, origin, hooks, capabilities, missing } = target;
  const skip = (reason: string) => context?.skip(reason);
  const call = missing.find((name) => context?.task.suite?.name === name);
  if (call) skip('the call is missing');
  const isThere = (name: string): boolean =>
    capabilities.some((capability) => capability === name) || name in hooks;
  const lacking = needs.filter((name) => !isThere(name));
  if (lacking.length > 0) skip(`needs ${lacking.join(' and ')}`);
  await hooks.reset?.();

  async function request(path: string, { method, json, body, token, headers = {} }: RequestOptions = {}) {
    const sent = json === undefined ? body : JSON.stringify(json);
    const outgoing = new Request(base + path, {
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: {
        ...(json === undefined ? {} : JSON_TYPE),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const response = await (hooks.send ?? fetch)(outgoing).catch((cause: unknown) => {
      throw new Error(`${outgoing.method} ${path} got no response`, { cause });
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: asJson(text) };
  }

  /** Registers a customer. Skips the test if the backend's limit is reached. */
  async function register(more: object = {}) {
    const names = { firstName: 'Asha', lastName: 'Rao' };
    const email = `asha-${crypto.randomUUID()}@example.com`;
    const registration = { email, password: PASSWORD, ...names, ...more };
    const answer = await request('/users/register', { json: registration });
    if (answer.status === 429)
      skip('the backend refuses further registrations: raise its limit for this run');
    return { ...answer, registration };
  }

  async function newCustomer(): Promise<Customer> {
    const { registration, status } = await register();
    expect(status, 'POST /users/register').toBeLessThan(300);
    const { email, password } = registration;
    const { json } = await request('/users/authorize', { json: { email, password } });
    return { email, token: v.parse(TokenSchema, json).token ?? '' };
  }

  let customers = 0;
  /** A signed-in customer, another one at each call. */
  async function customer(): Promise<Customer> {
    customers += 1;
    if (hooks.reset) return newCustomer();
    const known = shared[customers - 1] ?? (await newCustomer());
    shared[customers - 1] = known;
    return known;
  }

  const [product, other] = await twoProducts(request);
  async function order(token: string, products: object = { [product.id]: 2 }, more: object = {}) {
    const json = { products, shippingAddress: ADDRESS, ...more };
    const answer = await request('/orders', { token, json });
    if (answer.status === 429) skip('the backend refuses further orders: raise its limit for this run');
    return answer;
  }

  return {
    origin,
    capabilities,
    hooks,
    request,
    register,
    customer,
    /** Places an order and returns the response. */
    order,
    product,
    other,
    /** The exact sum in rupees. */
    sum: (...lines: readonly [Product, number][]): number =>
      lines.reduce((paise, [{ price }, quantity]) => paise + toPaise(price) * quantity, 0) / 100,
    /** The error text or code of the reference API. Other backends may have their own. */
    expectedError: (words: string): string => (hooks.ownWords ? words : expect.any(String)),
  };
}

/** A response without the time and the id of the request, for comparisons. */
export const shapeOf = ({ status, text, headers }: { status: number; text: string; headers: Headers }) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !/^(?:date|x-request-id|keep-alive|connection)$/.test(name)),
});
