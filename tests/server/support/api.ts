import * as v from 'valibot';
import { onTestFinished, vi } from 'vitest';
import { createApp } from '#server/app/app.ts';
import { importCatalogue } from '#server/catalogue/folder/import.ts';
import { type CatalogueContent, readCatalogue } from '#server/catalogue/folder/read.ts';
import { saveProduct } from '#server/catalogue/products/edit-products.ts';
import { requireProduct } from '#server/catalogue/stored-products.ts';
import type { Database } from '#server/db/database.ts';
import { OrderDtoSchema, OrderListSchema } from '#server/orders/schema.ts';
import type { LogFields, LogLevel } from '#server/process/log.ts';
import type { Collaborators } from '#server/services/services.ts';
import { readSettings, type Settings } from '#server/settings/settings.ts';
import { runSql } from '#tests/server/support/rows.ts';
import { CHEAP_HASHING } from '#tests/support/api.ts';
import { asJson } from '#tests/support/json-places.ts';
import { openEmptyDatabase } from './databases.ts';

export const SITE = 'http://localhost:4321';
export const PASSWORD = 'sechs-Äpfel 🍎';
export const ADDRESS = {
  fullName: 'Asha Rao',
  address: '12 MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  postalCode: '411001',
  phone: '+91 98765 43210',
};

/** A small catalogue of the tests' own, so that the demo shop's can change. */
export const CATALOGUE = 'tests/server/fixtures/catalogue';
export const catalogue = readCatalogue(CATALOGUE);
/** The first product: 'Alphonso Mango, box of 6' at ₹899 instead of ₹1,099. */
export const MANGO = 'mango';
/** ₹99.50 */
export const PINEAPPLE = 'pineapple';
/** The total of the tests' usual order, two boxes of mangoes. In paise. */
export const ORDER_TOTAL = 179_800;

export interface Ask {
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** The caller's network address. */
  readonly from?: string;
}

type Order = v.InferOutput<typeof OrderDtoSchema>;

type Fake = Partial<Omit<Collaborators, 'settings'>> & {
  readonly settings?: Partial<Settings>;
  readonly catalogue?: CatalogueContent;
};

/** An API in memory, called without a network. Its clock moves only by `pass`. */
export async function testApi({ settings = {}, catalogue: content = catalogue, ...given }: Fake = {}) {
  let now = Date.parse('2026-01-05T10:00:00Z');
  const lines: { level: LogLevel; event: string; fields: LogFields }[] = [];
  const db: Database = given.db ?? (await openEmptyDatabase());
  await importCatalogue(db, content);
  const { app, services } = createApp({
    db,
    clock: () => now,
    log: (level, event, fields = {}) => lines.push({ level, event, fields }),
    ...given,
    settings: { ...readSettings({ CATALOGUE }), hashing: CHEAP_HASHING, ...settings },
  });

  async function ask(
    path: string,
    { method, json, body, token, headers = {}, from = '203.0.113.7' }: Ask = {},
  ) {
    const sent = json === undefined ? body : JSON.stringify(json);
    const response = await app.request(
      /^\/(?:api|images|gateway|metrics|healthz|shop-health|admin|readyz|openapi\.json)\b/.test(path)
        ? path
        : `/api/v1${path}`,
      {
        method: method ?? (sent === undefined ? 'GET' : 'POST'),
        headers: {
          // All requests have the same id, because some tests compare responses with all their headers.
          'X-Request-Id': 'asked-by-a-test',
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(sent === undefined ? {} : { body: sent }),
      },
      { incoming: { socket: { remoteAddress: from } } },
    );
    const bytes = new Uint8Array(await response.arrayBuffer());
    // Without a byte order mark, which `bytes` has.
    const text = new TextDecoder().decode(bytes);
    const { status, headers: received } = response;
    return { status, headers: received, bytes, text, json: asJson(text) };
  }

  let customers = 0;
  /** Registers a new customer and signs in. */
  async function customer(address?: string): Promise<{ token: string; email: string }> {
    customers += 1;
    const [email, from] = [address ?? `person${customers}@example.com`, `198.51.100.${customers}`];
    const registration = { email, password: PASSWORD, firstName: 'Asha', lastName: 'Rao' };
    await ask('/users/register', { json: registration, from });
    const { json } = await ask('/users/authorize', { json: { email, password: PASSWORD }, from });
    // With a verified email, so that emails have their full texts.
    await runSql(db, 'UPDATE customers SET email_verified = 1 WHERE email = ?', email);
    const token = typeof json === 'object' && json && 'token' in json ? String(json.token) : '';
    return { token, email };
  }

  const order = (token: string, products: Record<string, unknown> = { [MANGO]: 2 }, more: object = {}) =>
    ask('/orders', { token, json: { products, shippingAddress: ADDRESS, ...more } });

  /** Places an order and returns it. */
  const placeOrder = async (...given: Parameters<typeof order>): Promise<Order> =>
    v.parse(OrderDtoSchema, (await order(...given)).json);

  const ordersOf = async (token: string): Promise<Order[]> =>
    v.parse(OrderListSchema, (await ask('/orders', { token })).json).data;

  /** Changes fields of a product, as its form does. */
  const changeProduct = (id: string, fields: object) =>
    db.write(async (transaction) =>
      saveProduct(transaction, id, { ...(await requireProduct(transaction, id)).product, ...fields }),
    );

  return {
    app,
    services,
    db,
    changeProduct,
    ask,
    customer,
    order,
    placeOrder,
    ordersOf,
    lines,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    /** Lets a long time pass as for a server that was running, not as a jump of its clock. */
    passWatched: async (milliseconds: number) => {
      now += milliseconds;
      await runSql(db, "DELETE FROM meta WHERE name = 'clock'");
    },
    now: () => now,
  };
}

export type TestApi = Awaited<ReturnType<typeof testApi>>;

export type Answer = Awaited<ReturnType<TestApi['ask']>>;

/** Adds a customer who has signed in to an API that is being opened. */
export async function withCustomer<Api extends Pick<TestApi, 'customer'>>(
  opened: Promise<Api>,
  email?: string,
) {
  const api = await opened;
  return { ...api, ...(await api.customer(email)) };
}

/** Rate limits read `Date`. Freezes it until `pass` or the end of the test. */
export function standStill() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-05T10:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds) };
}

/** An API whose rate limits also follow the test's clock. */
export async function limitedApi(given: Fake = {}) {
  const { pass } = standStill();
  return { ...(await testApi({ clock: () => Date.now(), ...given })), pass };
}
