import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_CALLS } from '#scripts/api/app/calls.ts';
import { API_BASE } from '#scripts/api/shop/call.ts';
import { ADDRESS, testApi } from '#tests/api/support/api.ts';

const run = promisify(execFile);

const ParameterSchema = v.object({
  name: v.string(),
  in: v.string(),
  schema: v.record(v.string(), v.unknown()),
});
const OperationSchema = v.object({
  operationId: v.string(),
  security: v.array(v.record(v.string(), v.unknown())),
  parameters: v.array(ParameterSchema),
  requestBody: v.optional(v.unknown()),
});
const DocumentSchema = v.object({
  servers: v.tuple([v.object({ url: v.string() })]),
  paths: v.record(v.string(), v.record(v.string(), OperationSchema)),
  components: v.object({ schemas: v.record(v.string(), v.unknown()) }),
});
const OrderRequestJson = v.object({
  properties: v.object({
    products: v.object({
      minProperties: v.number(),
      maxProperties: v.number(),
      additionalProperties: v.object({ minimum: v.number(), maximum: v.number() }),
    }),
    shippingAddress: v.object({
      required: v.array(v.string()),
      properties: v.object({ city: v.object({ maxLength: v.number() }) }),
    }),
  }),
});

async function served() {
  const api = await testApi();
  const { status, headers, json } = await api.ask('/openapi.json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  return { api, document: v.parse(DocumentSchema, json) };
}

describe('/openapi.json', () => {
  it('[architecture · interfaces] describes every call and no other, each under a name of its own', async () => {
    const { document } = await served();
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId, security }]) => {
        const access = security.length === 0 ? 'public' : 'bearer';
        return `${method} ${document.servers[0].url}${path} ${access} ${operationId}`;
      }),
    );
    const calls = API_CALLS.map(({ method, path, access, operationId }) => {
      const address = API_BASE + path.replace(/:(\w+)/g, '{$1}');
      return `${method.toLowerCase()} ${address} ${access} ${operationId}`;
    });
    expect(described.sort()).toEqual(calls.sort());
    expect(new Set(API_CALLS.map(({ operationId }) => operationId)).size).toBe(API_CALLS.length);
  });

  it('says of each call whether it takes a token, and the call agrees', async () => {
    const { api, document } = await served();
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(operations)) {
        const json = method === 'post' ? { json: {} } : {};
        const { text } = await api.ask(path.replace('{id}', 'x'), { method: method.toUpperCase(), ...json });
        // The gateway's callback is public, and refuses what is not signed.
        const refused = text === '{"error":"Unauthorized"}' && path !== '/payments/callback';
        expect([path, method, refused]).toEqual([path, method, security.length > 0]);
      }
    }
  });

  it('[fault 34, 80] names the limits of an order that POST /orders enforces', async () => {
    const { api, document } = await served();
    const { products, shippingAddress } = v.parse(
      OrderRequestJson,
      document.components.schemas.OrderRequest,
    ).properties;
    expect([products.minProperties, products.maxProperties]).toEqual([1, 100]);
    const { token } = await api.customer();
    const codeOf = async (ordered: Record<string, number>, more = {}) => {
      const { json } = await api.order(token, ordered, more);
      return v.parse(v.object({ code: v.string() }), json).code;
    };
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, 1]));
    expect(await codeOf(many(products.minProperties - 1))).toBe('products_missing');
    expect(await codeOf(many(products.maxProperties))).toBe('product_unknown');
    expect(await codeOf(many(products.maxProperties + 1))).toBe('too_many_products');
    const { minimum, maximum } = products.additionalProperties;
    for (const quantity of [minimum, maximum]) expect(await codeOf({ p: quantity })).toBe('product_unknown');
    for (const quantity of [minimum - 1, maximum + 1]) {
      expect(await codeOf({ p: quantity })).toBe('quantity_invalid');
    }
    expect(shippingAddress.required.toSorted()).toEqual(Object.keys(ADDRESS).sort());
    const { maxLength } = shippingAddress.properties.city;
    const inCity = (length: number) => ({ shippingAddress: { ...ADDRESS, city: 'x'.repeat(length) } });
    expect(await codeOf({ p: 1 }, inCity(maxLength))).toBe('product_unknown');
    expect(await codeOf({ p: 1 }, inCity(maxLength + 1))).toBe('address_invalid');
  });

  it('[fault 93] names the page and limit that GET /products uses where none or a wrong one is given', async () => {
    const { api, document } = await served();
    const parameters = document.paths['/products']?.get?.parameters ?? [];
    const schemaOf = (name: string) => parameters.find((each) => each.name === name)?.schema;
    const { json } = await api.ask('/products');
    expect(json).toMatchObject({
      pagination: { page: schemaOf('page')?.default, limit: schemaOf('limit')?.default },
    });
    const extreme = await api.ask('/products?page=-1&limit=1e9');
    const limits = { page: schemaOf('page')?.minimum, limit: schemaOf('limit')?.maximum };
    expect(extreme.json).toMatchObject({ pagination: limits });
    expect([schemaOf('limit')?.type, schemaOf('category')?.type]).toEqual(['integer', 'string']);
  });

  it('has no reference that leads nowhere', async () => {
    const { document } = await served();
    const names = Object.keys(document.components.schemas);
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(names).toContain(name);
    }
  });
});

describe('npm run openapi', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes to a file or to standard output what is served', async () => {
    const file = join(folder, 'openapi.json');
    await run('npm', ['run', '--silent', 'openapi', '--', file]);
    const { stdout } = await run('npm', ['run', '--silent', 'openapi']);
    const written = readFileSync(file, 'utf8');
    expect(stdout).toBe(written);
    const { ask } = await testApi();
    expect((await ask('/openapi.json')).json).toEqual(JSON.parse(written));
  });
});
