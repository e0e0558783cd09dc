import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseForm } from '#server/admin/forms/parse.ts';
import { API_CALLS, OTHER_ROUTES } from '#server/app/calls.ts';
import { SANDBOX_ROUTES } from '#server/payments/providers/sandbox/gateway.tsx';
import { API_BASE } from '#server/services/call.ts';
import { CONTRACT_CALLS } from '#tests/contract/support/calls.ts';
import { testApi, withCustomer } from '#tests/server/support/api.ts';
import { CODE_PASTES, INVISIBLE_PASTES, JOINED } from '#tests/support/pastes.ts';

const posts = API_CALLS.filter(({ method }) => method === 'POST').map(({ path }) => path);

/** tests/contract tests the other calls. */
const isOwn = (path: string): boolean => !CONTRACT_CALLS.some((call) => call.path === path);

describe('what is sent to every call', () => {
  it.each(posts.filter(isOwn))('POST %s takes JSON only', async (path) => {
    const { ask } = await testApi();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      expect((await ask(path, { body: '{}', headers: { 'Content-Type': type } })).status).toBe(415);
    }
  });

  it.each(posts)('POST %s takes at most 64 KB, with a Content-Length or streamed', async (path) => {
    const { ask, app, token } = await withCustomer(testApi());
    const headers = { 'Content-Type': 'application/json' };
    const large = JSON.stringify({ email: 'x'.repeat(64 * 1024) });
    expect((await ask(path, { token, body: large, headers })).status).toBe(413);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 8_192;
        controller.enqueue(new Uint8Array(8_192).fill(32));
      },
    });
    const streamed = new Request(`http://localhost${API_BASE}${path}`, {
      method: 'POST',
      body: endless,
      headers: { ...headers, Authorization: `Bearer ${token}` },
      duplex: 'half',
    } as RequestInit);
    expect((await app.request(streamed)).status).toBe(413);
    expect(sent).toBeLessThan(200_000);
  });

  it.each([
    ...API_CALLS.filter(({ path }) => isOwn(path)).map(({ path }) => API_BASE + path),
    ...[...OTHER_ROUTES, ...SANDBOX_ROUTES].map(({ path }) => path),
  ])('odd methods on %s are a 405 that names the right ones', async (path) => {
    const { ask } = await testApi();
    for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const answer = await ask(path, { method });
      expect([answer.status, answer.json]).toEqual([405, { error: 'Method not allowed' }]);
      expect(answer.headers.get('allow')).toMatch(/GET|POST/);
    }
  });
});

interface Part {
  readonly kind?: string;
  readonly type?: string;
  readonly pipe?: readonly Part[];
  readonly requirement?: unknown;
}

const isPart = (value: unknown): value is Part & Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && 'kind' in value && 'type' in value;

/** The schema itself and all schemas inside it, each with its path. */
function partsOf(schema: unknown, place = ''): [place: string, part: Part][] {
  if (!isPart(schema)) return [];
  const { pipe, entries, item, items, options, wrapped, key, value, rest } = schema;
  const fields = Object.entries(entries ?? {}).flatMap(([name, each]) => partsOf(each, `${place}.${name}`));
  const inside = [
    ...(pipe ?? []).filter((part) => part.pipe),
    ...[items, options].flatMap((list) => (Array.isArray(list) ? list : [])),
    ...[item, wrapped, value, rest],
  ];
  return [
    [place, schema],
    ...fields,
    ...partsOf(key, `${place} (names)`),
    ...inside.flatMap((each) => partsOf(each, place)),
  ];
}

const BOUNDS = /^(?:max_length|max_bytes|length)$/;
const READING = /^(?:regex|check|raw_check|transform|raw_transform|partial_check|email|url|iso_.*)$/;

/** A pattern such as `^\d{4}$` limits the length as well. */
const isBound = ({ type = '', requirement, pipe }: Part): boolean =>
  pipe?.some(isBound) ||
  BOUNDS.test(type) ||
  (requirement instanceof RegExp && !/[*+]|,\}/.test(requirement.source));

/** The check that reads a text before its length is limited, or undefined. */
function earlyReader({ type, pipe = [] }: Part): string | undefined {
  if (type !== 'string') return undefined;
  const bound = pipe.findIndex(isBound);
  const reader = pipe.find(
    ({ type: action = '' }, place) => READING.test(action) && (bound === -1 || place < bound),
  );
  return reader && `${reader.type} ${reader.requirement}`;
}

const modules = import.meta.glob<Readonly<Record<string, unknown>>>(
  ['/src/server/**/*.{ts,tsx}', '!/src/server/{server,commands}.ts'],
  { eager: true },
);

const isForm = (value: unknown): value is { schema: unknown } =>
  typeof value === 'object' && value !== null && 'schema' in value && 'fields' in value;

const forms = Object.entries(modules).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]): [string, unknown][] =>
    isForm(value) ? [[`${name} of ${file}`, value.schema]] : [],
  ),
);

/** Texts that are shown nowhere, or must be a known name. */
const NOT_SHOWN: readonly (readonly [places: RegExp, reason: string])[] = [
  [/^POST \/users\/\S+ body\.(?:password|current|device)$/, 'is compared byte for byte, or with a hash'],
  [/^POST \/orders body\.(?:products \(names\)|lines\.id)$/, 'must be the id of a product'],
  [/^POST \/orders\/:id\/returns body\.lines\.line$/, 'must be one of the items of the order'],
  [/^GET \/products query\./, 'is read as a number, or compared with the categories'],
  [/^GET \/orders\/:id query\.contactInfo$/, 'is compared with email and phone; phones copy invisible marks'],
  [/^POST \/contact body\.website$/, 'is never stored: only bots fill it in'],
  [/^POST \/payments body\.orderId$/, 'must be the number of an order'],
  [/^POST \/payments body\.fields(?: \(names\))?$/, 'is checked by the form (payments/sandbox.test.ts)'],
];
const isShown = (place: string): boolean => !NOT_SHOWN.some(([places]) => places.test(place));

/** Texts that may have several lines. */
const WITH_LINES = ['POST /contact body.message', 'POST /orders/:id/returns body.reason'];

/** Each schema accepts at least one of these. */
const GOOD = ['Asha Rao', 'asha@example.com', '9876543210', 'a', 'Women', '2'];

/** Control characters, and characters that change the direction of text. */
const HOSTILE = [...'\u202e\u2066\u200f\u061c\u0000\u0007\n\u2028\u0085\ud800'];

const REQUESTS = API_CALLS.map(({ method, path, request }): [string, unknown] => [
  `${method} ${path}`,
  v.object({ ...request }),
]);

const TEXTS = REQUESTS.flatMap(([call, request]) =>
  partsOf(request)
    .filter(([, { type }]) => type === 'string')
    .map(([place, schema]) => [`${call} ${place.slice(1)}`, schema] as const),
);

const isSchema = (schema: unknown): schema is v.GenericSchema =>
  typeof schema === 'object' && schema !== null && '~run' in schema;

/** The output of a schema as JSON, or undefined if it refuses the text. */
function readBy(schema: unknown, text: string): string | undefined {
  const parsed = isSchema(schema) ? v.safeParse(schema, text) : undefined;
  return parsed?.success ? JSON.stringify(parsed.output) : undefined;
}

function keepsHostile(place: string, schema: unknown): boolean {
  const base = GOOD.find((text) => readBy(schema, text) !== undefined);
  if (base === undefined) return false;
  const keeps = (text: string, sign: string) =>
    readBy(schema, text)?.includes(JSON.stringify(sign).slice(1, -1)) ?? false;
  return HOSTILE.filter((sign) => sign !== '\n' || !WITH_LINES.includes(place)).some(
    (sign) =>
      keeps(`${base.slice(0, 1)}${sign}${base.slice(1)}z`, sign) ||
      keeps(base.slice(0, 2) + sign + base.slice(2), sign),
  );
}

describe('the texts of strangers', () => {
  it.each([...REQUESTS, ...forms])(
    '%s: the length of each is checked before anything else reads it',
    (_name, schema) => {
      expect(partsOf(schema).flatMap(([, part]) => earlyReader(part) ?? [])).toEqual([]);
    },
  );

  it('in a form, a text that is too long is read by no later check', () => {
    let reads = 0;
    const reading = v.check<string, string>(() => {
      reads += 1;
      return false;
    }, 'is wrong');
    const schema = v.object({
      long: v.pipe(v.string(), v.maxLength(5, 'is too long'), reading),
      other: v.pipe(v.string(), v.minLength(5, 'is too short')),
    });
    const fields = {
      long: { label: 'Long', control: 'text' },
      other: { label: 'Other', control: 'text' },
    } as const;
    const parse = (long: string) => {
      const form = new FormData();
      form.set('long', long);
      form.set('other', 'x');
      const parsed = parseForm({ schema, fields }, form);
      return parsed.isValid ? undefined : [...parsed.errors.values()];
    };
    expect([parse('123456'), reads]).toEqual([['Long is too long', 'Other is too short'], 0]);
    expect([parse('1'), reads > 0]).toEqual([['Long is wrong', 'Other is too short'], true]);
  });

  it('are the same texts however they were pasted, and words keep their joiners', () => {
    const shown = TEXTS.filter(([place]) => isShown(place));
    const changed = shown.flatMap(([place, schema]) => {
      if (/token|Idempotency-Key/i.test(place)) return [];
      const texts = [...GOOD, ...JOINED].filter((text) => readBy(schema, text) !== undefined);
      return texts.flatMap((text) =>
        Object.entries(INVISIBLE_PASTES)
          .filter(([, paste]) => readBy(schema, paste(text)) !== readBy(schema, text))
          .map(([how]) => `${place}: ${text} ${how}`),
      );
    });
    expect(changed).toEqual([]);
    const joined = shown.filter(([place]) => /(?:name|message|reason|address)$/i.test(place));
    for (const [, schema] of joined.filter(([, each]) => readBy(each, 'Asha Rao') !== undefined))
      for (const word of JOINED) expect(readBy(schema, word)).toBe(JSON.stringify(word));
  });

  it.each([
    ...(['text', 'email', 'search', 'tel', 'url', 'date'] as const).map((name) => [name, '1,200'] as const),
    ['lines', ['1,200']],
    ['number', 1_200],
    ['password', undefined],
  ] as const)('are tidied in a %s field of the admin, but a password is not changed', (control, tidied) => {
    const schema = v.object({ typed: v.any() });
    for (const paste of Object.values(INVISIBLE_PASTES)) {
      const form = new FormData();
      form.set('typed', paste('1,200'));
      const parsed = parseForm({ schema, fields: { typed: { label: '', control } } }, form);
      expect(parsed.isValid && parsed.output.typed).toEqual(tidied ?? paste('1,200'));
    }
  });

  it('that are codes are the same in the digits and dashes of other scripts', () => {
    const codes = TEXTS.filter(([place]) => /\.(?:email|phone|postalCode)$/.test(place));
    expect(codes.length).toBeGreaterThan(5);
    for (const [place, schema] of codes)
      for (const [how, paste] of Object.entries(CODE_PASTES))
        for (const text of ['a-7@b.example', '98765-43210', '411001'])
          expect([place, how, readBy(schema, paste(text))]).toEqual([place, how, readBy(schema, text)]);
  });

  it('have no control characters and none that change the direction of text', () => {
    const open = TEXTS.filter(([place, schema]) => isShown(place) && keepsHostile(place, schema));
    expect(open.map(([place]) => place)).toEqual([]);
    const places = TEXTS.map(([place]) => place);
    expect(NOT_SHOWN.filter(([pattern]) => !places.some((place) => pattern.test(place)))).toEqual([]);
    expect(places).toContain('POST /orders body.shippingAddress.fullName');
  });
});

const OperationSchema = v.object({
  operationId: v.string(),
  security: v.array(v.record(v.string(), v.unknown())),
});
const DocumentSchema = v.object({
  servers: v.tuple([v.object({ url: v.string() })]),
  paths: v.record(v.string(), v.record(v.string(), OperationSchema)),
  components: v.object({ schemas: v.record(v.string(), v.unknown()) }),
});

/** The calls of /openapi.json, each with its method in capitals. */
async function described() {
  const api = await testApi();
  const { status, headers, json } = await api.ask('/openapi.json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  const document = v.parse(DocumentSchema, json);
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operationId: operation.operationId,
      access: operation.security.length === 0 ? 'public' : 'bearer',
    })),
  );
  return { api, json, document, calls };
}

describe('/openapi.json', () => {
  it('[architecture · interfaces] describes every call and no other, each with a unique operationId', async () => {
    const { document, calls } = await described();
    expect(document.servers[0].url).toBe(API_BASE);
    const known = API_CALLS.map(({ method, path, access, operationId }) => ({
      path: path.replace(/:(\w+)/g, '{$1}'),
      method,
      operationId,
      access,
    }));
    const ids = known.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(calls).toHaveLength(known.length);
    expect(calls).toEqual(expect.arrayContaining(known));
  });

  it('says which calls need a token: without one, or with a wrong one, they are a 401', async () => {
    const { api, calls } = await described();
    for (const { path, method, access } of calls) {
      for (const token of [{}, { token: 'wrong' }]) {
        const body = method === 'POST' ? { json: {} } : {};
        const { text } = await api.ask(path.replace('{id}', 'x'), { method, ...body, ...token });
        expect([path, method, text === '{"error":"Unauthorized"}']).toEqual([
          path,
          method,
          access === 'bearer',
        ]);
      }
    }
  });
});
