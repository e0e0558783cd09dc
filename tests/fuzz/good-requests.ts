import * as v from 'valibot';
import { callbackRequest, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '#scripts/api/gateway/callback.ts';
import { sign } from '#scripts/api/gateway/signature.ts';
import { METHODS } from '#scripts/api/payment-fields.ts';
import { ADDRESS, MANGO, PASSWORD, PINEAPPLE } from '#tests/api/support/api.ts';
import { SECRET } from '#tests/api/support/payments.ts';

/** A request to the API in its parts, so that each can be changed. */
export interface Asked {
  readonly call: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
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
export function goodRequests({ token, orderId, email, reference, now }: Known): Asked[] {
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
export function finished(asked: Asked, number: number): Asked {
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
