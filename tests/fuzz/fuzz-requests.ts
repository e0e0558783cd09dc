import * as v from 'valibot';
import { callbackRequest, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '#scripts/api/gateway/callback.ts';
import { sign } from '#scripts/api/gateway/signature.ts';
import { METHODS } from '#scripts/api/payment-fields.ts';
import { ADDRESS, MANGO, PASSWORD, PINEAPPLE, testApi } from '#tests/api/support/api.ts';
import { SECRET } from '#tests/api/support/payments.ts';
import { countRow } from '#tests/api/support/rows.ts';
import { createRandom, type Random } from './random.ts';
import { ATTACKS, changeAt, MISSING, pathsOf, VALUE_CHANGES } from './values.ts';

/** A request to the API in its parts, so that each can be changed. */
interface Asked {
  readonly call: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RequestFinding {
  readonly seed: number;
  readonly number: number;
  readonly request: string;
  readonly problem: string;
}

export interface RequestResult {
  readonly requests: number;
  readonly refused: number;
  readonly seconds: number;
  readonly findings: readonly RequestFinding[];
}

const NEVER = { most: 1_000_000_000, every: 60_000 };
const TABLES = ['users', 'sessions', 'orders', 'order_items', 'order_keys', 'payments'];
const METHODS_ASKED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  '',
  'application/json; charset=latin1',
  'json',
];
const SEGMENTS = [
  '',
  '..',
  '%2e%2e',
  '%00',
  '%',
  'a'.repeat(5_000),
  '__proto__',
  '1;DROP TABLE orders',
  "' OR 1=1--",
  '💥',
  '%ff',
];
const QUERIES = [
  'limit=1e9',
  'limit=-1',
  'page=-1',
  'page=1e308',
  'page=NaN',
  'limit=0x10',
  'category=%00',
  'category[]=1',
  `q=${'x'.repeat(10_000)}`,
  '&&&===',
  'contactInfo=',
  '%',
  'category=__proto__',
  `filter=${'a,'.repeat(2_000)}`,
];
const STACK = /\bat [\w.<>]+ \(|node:internal|\.ts:\d+|SQLITE|valibot|\/node_modules\//i;

const CALLBACK = 'POST /payments/callback';
const REGISTER = 'POST /users/register';
const NEWCOMER = 'someone@example.com';
const GOOD_KEY = 'fuzz-0123456789abcdef';

const json = { 'Content-Type': 'application/json' };

interface Known {
  readonly token: string;
  readonly email: string;
  readonly orderId: string;
  /** Of a payment of this order. */
  readonly reference: string;
  /** ms since 1970 */
  readonly now: number;
}

const HeadersSchema = v.record(v.string(), v.string());

/** Every call with a request that succeeds. */
function goodRequests({ token, orderId, email, reference, now }: Known): Asked[] {
  const bearer = { Authorization: `Bearer ${token}` };
  const post = (call: string, body: unknown, headers = {}): Asked => ({
    call: `POST ${call}`,
    method: 'POST',
    path: `/api/v1${call}`,
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
  });
  const get = (call: string, path = call, headers = {}): Asked => ({
    call: `GET ${call}`,
    method: 'GET',
    path: `/api/v1${path}`,
    headers,
  });
  const order = {
    products: { [MANGO]: 2, [PINEAPPLE]: 1 },
    shippingAddress: ADDRESS,
    lines: [
      { id: MANGO, quantity: 2, selectedSize: '', selectedColor: '' },
      { id: PINEAPPLE, quantity: 1, selectedSize: '', selectedColor: '' },
    ],
  };
  const report = callbackRequest(
    SECRET,
    { reference, amount: '1798.00', currency: 'INR', outcome: 'failed' },
    Math.floor(now / 1_000),
  );
  const newcomer = { email: NEWCOMER, password: PASSWORD, firstName: 'Asha', lastName: 'Rao' };
  return [
    get('/products', '/products?page=1&limit=12&category=fruits'),
    get('/products/:id', `/products/${MANGO}`),
    get('/storeInfo'),
    get('/accountInfo', '/accountInfo', bearer),
    get('/orders', '/orders', bearer),
    get('/orders/:id', `/orders/${orderId}?contactInfo=${encodeURIComponent(email)}`),
    get('/payments/fields', '/payments/fields', bearer),
    post('/users/authorize', { email, password: PASSWORD }),
    post('/users/register', newcomer),
    post('/orders', order, { ...bearer, 'Idempotency-Key': GOOD_KEY }),
    post('/payments', { orderId, fields: { method: METHODS.qr, updates: 'false' } }, bearer),
    {
      call: CALLBACK,
      method: 'POST',
      path: '/api/v1/payments/callback',
      headers: v.parse(HeadersSchema, report.headers),
      body: String(report.body),
    },
  ];
}

/** What a request is worth only when it is made for itself: its own key, its own email, the gateway's signature. */
function finished(asked: Asked, number: number): Asked {
  const { headers, body = '' } = asked;
  const key = headers['Idempotency-Key'];
  if (key === GOOD_KEY) return { ...asked, headers: { ...headers, 'Idempotency-Key': `${key}-${number}` } };
  if (asked.call === REGISTER)
    return { ...asked, body: body.replace(NEWCOMER, `number${number}@example.com`) };
  const time = headers[TIMESTAMP_HEADER];
  // One whose signature was changed or dropped stays as it is.
  if (asked.call !== CALLBACK || time === undefined || !/^[\da-f]{64}$/.test(headers[SIGNATURE_HEADER] ?? ''))
    return asked;
  return { ...asked, headers: { ...headers, [SIGNATURE_HEADER]: sign(SECRET, `${time}.${body}`) } };
}

const headerSafe = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

type Change = (asked: Asked, random: Random) => Asked;

const changeBody: Change = (asked, random) => {
  let value: unknown;
  try {
    value = JSON.parse(asked.body ?? '{}');
  } catch {
    return asked;
  }
  const change = VALUE_CHANGES[random.pick(Object.keys(VALUE_CHANGES))] ?? ((same) => same);
  const changed = changeAt(value, random.pick(pathsOf(value, 100)), change);
  return { ...asked, body: changed === MISSING ? '' : (JSON.stringify(changed) ?? '') };
};

const changeKey: Change = (asked, random) => {
  const keys = [...(asked.body ?? '').matchAll(/"([^"]+)":/g)].map(([whole]) => whole);
  if (keys.length === 0) return asked;
  const name = JSON.stringify(random.pick(['__proto__', 'constructor', '', 'id', 'price', ...ATTACKS]));
  return { ...asked, body: (asked.body ?? '').replace(random.pick(keys), () => `${name}:`) };
};

const breakBody: Change = (asked, random) => {
  const body = asked.body ?? '';
  const broken = random.pick([
    '',
    body.slice(0, random.below(body.length + 1)),
    `${body}${body}`,
    `\uFEFF${body}`,
    `[${'['.repeat(20_000)}`,
    'null',
    '"text"',
    '1e999',
    body.replace(/:\d+/g, ':1e999'),
    body.replace('{', `{"price":0,"status":3,"userId":"1","role":"admin",`),
    'x'.repeat(70_000),
  ]);
  return { ...asked, body: broken };
};

const changeHeader: Change = (asked, random) => {
  const name = random.pick([
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'X-Forwarded-For',
    'Origin',
    'If-None-Match',
    'Cookie',
    'Content-Length',
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    'Accept-Encoding',
  ]);
  const value = random.pick([
    '',
    'Bearer',
    'Bearer x'.repeat(2_000),
    'Basic eDp4',
    'Bearer null',
    ...TYPES,
    ...ATTACKS,
    'k'.repeat(300),
    '1e9',
    '-1',
    ', ,',
    '*',
  ]);
  return { ...asked, headers: { ...asked.headers, [name]: headerSafe(value) } };
};

const dropHeader: Change = (asked, random) => {
  const names = Object.keys(asked.headers);
  const dropped = names.length > 0 ? random.pick(names) : '';
  return {
    ...asked,
    headers: Object.fromEntries(Object.entries(asked.headers).filter(([name]) => name !== dropped)),
  };
};

const changePath: Change = (asked, random) => {
  const [path = '', query = ''] = asked.path.split('?');
  const parts = path.split('/');
  const at = 3 + random.below(Math.max(parts.length - 3, 1));
  const changed = parts
    .map((part, index) => (index === at ? random.pick([...SEGMENTS, part]) : part))
    .join('/');
  return {
    ...asked,
    path: random.chance(0.5) ? `${changed}?${query}` : `${path}?${random.pick([...QUERIES, query])}`,
  };
};

const changeMethod: Change = (asked, random) => ({ ...asked, method: random.pick(METHODS_ASKED) });

const CHANGES: readonly Change[] = [
  changeBody,
  changeBody,
  changeBody,
  changeKey,
  breakBody,
  changeHeader,
  dropHeader,
  changePath,
  changeMethod,
];

const describe = ({ method, path, headers, body }: Asked): string =>
  `${method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 300)} ${body?.slice(0, 400) ?? ''}`;

/** Sends changed requests to the API in this process: none may break it, and what it refuses leaves no row. */
export async function fuzzRequests(seed: number, requests: number): Promise<RequestResult> {
  const api = await testApi({
    settings: {
      gatewaySecret: SECRET,
      orders: { placed: NEVER, listed: 1_000 },
      limits: { signIn: NEVER, signInAddress: NEVER, register: NEVER, track: NEVER, orderMisses: NEVER },
    },
  });
  const { token, email } = await api.customer();
  const placed = await api.order(token);
  const orderId = /"id":"([^"]+)"/.exec(placed.text)?.[1] ?? '';
  await api.ask('/payments', { token, json: { orderId, fields: { method: METHODS.qr } } });
  const { reference = '' } =
    api.db.get(v.object({ reference: v.string() }), 'SELECT reference FROM payments') ?? {};
  const good = goodRequests({ token, email, orderId, reference, now: api.now() });
  const findings: RequestFinding[] = [];
  const count = (table: string): number =>
    api.db.get(countRow, `SELECT count(*) AS count FROM ${table}`)?.count ?? 0;
  const rows = (): string => TABLES.map(count).join(' ');
  let refused = 0;
  const started = performance.now();
  const send = async (asked: Asked): Promise<Response> => {
    const noBody = asked.method === 'GET' || asked.method === 'HEAD' || asked.body === undefined;
    return api.app.request(
      new Request(`http://localhost:8044${asked.path}`, {
        method: asked.method === 'TRACE' ? 'OPTIONS' : asked.method,
        headers: asked.headers,
        ...(noBody ? {} : { body: asked.body ?? '' }),
      }),
      undefined,
      { incoming: { socket: { remoteAddress: '203.0.113.7' } } },
    );
  };
  // What is refused before it was changed says nothing about the change.
  for (const asked of good) {
    const { status } = await send(finished(asked, -1));
    if (status >= 400) throw new Error(`The good request ${asked.call} is answered ${status}.`);
  }
  for (let number = 0; number < requests; number += 1) {
    const random = createRandom(seed, number);
    let asked = random.pick(good);
    // Each of these is a request like any other: the state that earlier ones left must not matter.
    for (let changes = 1 + random.below(2); changes > 0; changes -= 1) {
      const change = random.pick(asked.body === undefined ? CHANGES.slice(5) : CHANGES);
      asked = change(asked, random);
    }
    asked = finished(asked, number);
    const before = rows();
    const logged = api.lines.length;
    const problem = (text: string) =>
      findings.push({ seed, number, request: describe(asked), problem: text });
    let response: Response;
    try {
      response = await send(asked);
    } catch (error) {
      problem(`threw ${String(error)}`);
      continue;
    }
    const text = await response.text();
    if (response.status >= 500 && response.status !== 503)
      problem(`answered ${response.status}: ${text.slice(0, 200)}`);
    if (response.status >= 400) {
      refused += 1;
      if (STACK.test(text)) problem(`tells its inside: ${text.slice(0, 200)}`);
      if (rows() !== before)
        problem(`refused with ${response.status}, yet rows changed: ${before} → ${rows()}`);
      if (
        !/json/.test(response.headers.get('content-type') ?? '') &&
        asked.method !== 'HEAD' &&
        !asked.path.startsWith('/gateway')
      )
        problem(`refused without JSON: ${response.status} ${response.headers.get('content-type')}`);
    }
    const lines = JSON.stringify(api.lines.slice(logged));
    if (lines.includes(token) || lines.includes(email) || lines.includes(orderId))
      problem(`logged something personal: ${lines}`);
    if (/unexpected error/.test(lines)) problem(`logged: ${lines.slice(0, 600)}`);
  }
  return { requests, refused, seconds: (performance.now() - started) / 1_000, findings };
}
