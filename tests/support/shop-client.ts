import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { TokenSchema } from '#api/schema/account.ts';
import { LenientOrderSchema } from '#api/schema/order.ts';
import { PaymentResponseSchema } from '#api/schema/payment.ts';
import { ProductPageSchema } from '#api/schema/product.ts';
import type { Order } from '#domain/order.ts';
import { STATUSES, type StatusName } from '#domain/order-status.ts';
import type { Product } from '#domain/product.ts';
import type { ShippingAddress } from '#domain/shipping-address.ts';
import type { RunningApi } from '#server/app/start.ts';
import { METHODS } from '#server/payments/providers/sandbox/sandbox.ts';
import { runSql } from '#tests/server/support/rows.ts';

export type Shopper = { firstName: string; lastName: string; email: string; password: string };
export type SignedIn = Shopper & { token: string };

export const ADDRESS: ShippingAddress = {
  fullName: 'Asha Rao',
  address: '12 MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  postalCode: '411001',
  phone: '9876543210',
};

/** The same address, keyed by the labels of the checkout's fields. */
export const LABELLED_ADDRESS = {
  'Full name': ADDRESS.fullName,
  Address: ADDRESS.address,
  City: ADDRESS.city,
  State: ADDRESS.state,
  'PIN code': ADDRESS.postalCode,
  Phone: ADDRESS.phone,
} as const;

const newShopper = (): Shopper => ({
  firstName: 'Asha',
  lastName: 'Rao',
  email: `asha.${randomUUID().slice(0, 8)}@example.com`,
  password: 'mango-season',
});

/** The address of an API and, for a client that changes the status of orders, its database. */
type Target = Pick<RunningApi, 'url'> & Partial<Pick<RunningApi, 'db'>>;

/** Does by HTTP what a test need not click through to get to its subject. Calls throw where the API refuses. */
export const createShopClient = (api: Target) => {
  /** Returns the response whatever its status is. */
  const send = (
    path: string,
    { body, token, headers }: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    fetch(`${api.url}/api/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const ask = async (path: string, body?: unknown, token?: string): Promise<unknown> => {
    const response = await send(path, { body, ...(token ? { token } : {}) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };

  /** Registers a new account. The details that are not given are made up. */
  const register = async (details: Partial<Shopper> = {}): Promise<Shopper> => {
    const shopper = { ...newShopper(), ...details };
    await ask('users/register', shopper);
    return shopper;
  };

  const signIn = async (shopper: Shopper): Promise<SignedIn> => {
    const { email, password } = shopper;
    const { token } = v.parse(TokenSchema, await ask('users/authorize', { email, password }));
    if (token === undefined) throw new Error('Signing in gave no token.');
    return { ...shopper, token };
  };

  /** A new account that has signed in. */
  const newSignedIn = async (details?: Partial<Shopper>): Promise<SignedIn> =>
    signIn(await register(details));

  /** Every product of the catalogue, in the API's order. */
  const products = async (): Promise<readonly Product[]> => {
    const all: Product[] = [];
    for (let page = 1, total = 1; all.length < total; page += 1) {
      const answer = await v.parseAsync(ProductPageSchema, await ask(`products?page=${page}&limit=100`));
      if (answer.products.length === 0) break;
      all.push(...answer.products);
      total = answer.total;
    }
    return all;
  };

  /** The first product that fits. Throws if there is none. */
  const product = async (fits: (product: Product) => boolean): Promise<Product> => {
    const found = (await products()).find(fits);
    if (!found) throw new Error('The demo catalogue has no such product.');
    return found;
  };

  const orders = async ({ token }: SignedIn): Promise<readonly Order[]> => {
    const all: Order[] = [];
    for (let path: string | undefined = 'orders'; path; ) {
      const answer: Response = await send(path, { token });
      all.push(...v.parse(v.object({ data: v.array(LenientOrderSchema) }), await answer.json()).data);
      path = /<\/api\/v1\/([^>]*)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    return all;
  };

  /** Changes the status of an order, as if it had been paid. */
  const setStatus = async (orderId: string, status: StatusName): Promise<void> => {
    if (!api.db) throw new Error('Only a client with a database can change the status of orders.');
    const paid = 'received_paise = CASE WHEN ? IN (1, 2, 3) THEN total_paise ELSE 0 END';
    const { code } = STATUSES[status];
    await runSql(api.db, `UPDATE orders SET ${paid}, status = ? WHERE id = ?`, code, code, orderId);
  };

  /** Places an order. `quantities` are keyed by product id; the default is one of the first product with a price. */
  const order = async (
    { token }: SignedIn,
    {
      quantities,
      address = ADDRESS,
      status = 'pending',
    }: { quantities?: Record<string, number>; address?: ShippingAddress; status?: StatusName } = {},
  ): Promise<Order> => {
    const products = quantities ?? { [(await product(({ price }) => price > 0)).id]: 1 };
    const body = { products, shippingAddress: address };
    const placed = v.parse(LenientOrderSchema, await ask('orders', body, token));
    if (status !== 'pending') await setStatus(placed.id, status);
    return { ...placed, status: STATUSES[status].code };
  };

  /** Does what the shopper's UPI app does with the `upi://` link of a payment. */
  const answerUpi = async (link: string, outcome: 'succeeded' | 'failed'): Promise<void> => {
    const { searchParams } = new URL(link);
    const answer = new URLSearchParams({ outcome });
    for (const name of ['tr', 'am', 'cu']) answer.set(name, searchParams.get(name) ?? '');
    const response = await fetch(`${api.url}/gateway/upi/result`, { method: 'POST', body: answer });
    if (!response.ok) throw new Error(`The gateway answered ${response.status}: ${await response.text()}`);
  };

  /** Pays an order through the sandbox gateway. Its status is Processing afterwards. */
  const pay = async ({ token }: SignedIn, orderId: string): Promise<void> => {
    const answer = await ask('payments', { fields: { method: METHODS.qr }, orderId }, token);
    const link = v.parse(PaymentResponseSchema, answer).action?.qr;
    if (link === undefined) throw new Error(`The order cannot be paid: ${JSON.stringify(answer)}`);
    await answerUpi(link, 'succeeded');
  };

  return {
    send,
    ask,
    register,
    signIn,
    newSignedIn,
    products,
    product,
    orders,
    order,
    setStatus,
    pay,
    answerUpi,
  };
};

export type ShopClient = ReturnType<typeof createShopClient>;
