import { STATUSES } from '#domain/order-status.ts';
import { API_CALLS } from '#server/app/calls.ts';
import { requestEmailChange } from '#server/customers/change-calls.ts';
import { DELETION, EMAIL_CHANGE, RESET } from '#server/customers/emails.ts';
import { findCredentials } from '#server/customers/stored-customers.ts';
import type { LinkKind } from '#server/email/email.ts';
import { makeLink } from '#server/email/links.ts';
import { METHODS } from '#server/payments/providers/sandbox/sandbox.ts';
import { API_BASE } from '#server/services/call.ts';
import { ADDRESS, MANGO, PASSWORD, PINEAPPLE, testApi } from '#tests/server/support/api.ts';
import { runSql } from '#tests/server/support/rows.ts';
import { UNLIMITED } from '#tests/support/api.ts';

/** The parts of a request to the API, so that each can be changed. */
export interface ApiRequest {
  readonly call: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
const REGISTER = 'POST /users/register';
const NEWCOMER = 'someone@example.com';
const NEW_EMAIL = 'new@example.com';
const GOOD_KEY = 'fuzz-0123456789abcdef';

/** What a call needs, beside its token, to succeed. */
interface Needs {
  readonly id?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Gives a request what must be unique: a new key or a new email. */
export function withUniqueParts(request: ApiRequest, number: number): ApiRequest {
  const { headers, body = '' } = request;
  const key = headers['Idempotency-Key'];
  if (key === GOOD_KEY) return { ...request, headers: { ...headers, 'Idempotency-Key': `${key}-${number}` } };
  if (request.call === REGISTER)
    return { ...request, body: body.replace(NEWCOMER, `number${number}@example.com`) };
  return request;
}

/** An API without limits that has a customer, an order and a payment, and a request of each call that succeeds. */
export async function openApi() {
  const api = await testApi({
    settings: UNLIMITED,
  });
  const { token, email } = await api.customer();
  const placeOrder = async () => (await api.placeOrder(token)).id;
  const [orderId, cancelId] = [await placeOrder(), await placeOrder()];
  const [returnId, withdrawId] = [await placeOrder(), await placeOrder()];
  for (const id of [returnId, withdrawId])
    await runSql(api.db, 'UPDATE orders SET status = ? WHERE id = ?', STATUSES.delivered.code, id);
  const returned = { reason: 'It was not ripe.', lines: [{ line: '0', quantity: 1 }] };
  await api.ask(`/orders/${withdrawId}/returns`, { token, json: returned });
  await api.ask('/payments', { token, json: { orderId, fields: { method: METHODS.qr } } });
  const linkFor = async (kind: LinkKind, aboutOf: (id: string) => string = String): Promise<string> => {
    const { id = '' } = (await findCredentials(api.db, (await api.customer()).email)) ?? {};
    const address = await api.db.write(async (transaction) => {
      await requestEmailChange(transaction, api.services, id, NEW_EMAIL);
      return makeLink(transaction, api.services.clock(), '', kind, aboutOf(id));
    });
    return address.slice(address.indexOf('#') + 1);
  };
  const links = {
    reset: await linkFor(RESET),
    deletion: await linkFor(DELETION),
    email: await linkFor(EMAIL_CHANGE, (customerId) => `${customerId} new ${NEW_EMAIL}`),
    notMine: await linkFor(EMAIL_CHANGE, (customerId) => `${customerId} old ${NEW_EMAIL}`),
  };
  const otherToken = (await api.customer()).token;
  /** What each call needs, keyed by call. A call that needs nothing has no entry. */
  const needs: Readonly<Record<string, Needs>> = {
    'GET /products': { query: '?page=1&limit=12&category=fruits' },
    'GET /products/:id': { id: MANGO },
    'GET /orders/:id': { id: orderId, query: `?contactInfo=${encodeURIComponent(email)}` },
    'POST /orders/:id/returns': {
      id: returnId,
      body: returned,
    },
    'POST /orders/:id/cancel': { id: cancelId, body: {} },
    'POST /orders/:id/returns/:number/withdraw': { id: withdrawId, body: {} },
    'POST /users/logout': { headers: { Authorization: `Bearer ${'x'.repeat(43)}` } },
    'POST /users/authorize': { body: { email, password: PASSWORD } },
    [REGISTER]: { body: { email: NEWCOMER, password: PASSWORD, firstName: 'Asha', lastName: 'Rao' } },
    'POST /users/forgot-password': { body: { email } },
    'POST /users/reset-password': { body: { token: links.reset, password: PASSWORD } },
    'POST /users/name': { body: { firstName: 'Asha', lastName: 'Rao' } },
    'POST /users/password': {
      headers: { Authorization: `Bearer ${otherToken}` },
      body: { current: PASSWORD, password: PASSWORD },
    },
    'POST /users/email': { body: { email: NEW_EMAIL, current: PASSWORD } },
    'POST /users/confirm-email': { body: { token: links.email, current: PASSWORD } },
    'POST /users/not-mine': { body: { token: links.notMine } },
    'POST /users/delete': { body: { current: PASSWORD } },
    'POST /users/confirm-deletion': { body: { token: links.deletion } },
    'POST /orders': {
      headers: { 'Idempotency-Key': GOOD_KEY },
      body: {
        products: { [MANGO]: 2, [PINEAPPLE]: 1 },
        shippingAddress: ADDRESS,
        lines: [
          { id: MANGO, quantity: 2, selectedSize: '', selectedColor: '' },
          { id: PINEAPPLE, quantity: 1, selectedSize: '', selectedColor: '' },
        ],
      },
    },
    'POST /contact': {
      body: { name: 'Asha', email, subject: 'An order', message: 'Where is it?\nI wait.' },
    },
    'POST /payments': { body: { orderId, fields: { method: METHODS.qr, updates: 'false' } } },
  };
  const good = API_CALLS.map(({ method, path, access }): ApiRequest => {
    const call = `${method} ${path}`;
    const { id = '', query = '', headers, body } = needs[call] ?? {};
    return {
      call,
      method,
      path: API_BASE + path.replace(':id', id).replace(':number', '1') + query,
      headers: {
        ...(access === 'bearer' ? { Authorization: `Bearer ${token}` } : {}),
        ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  });

  function send({ method, path, headers, body }: ApiRequest): Promise<Response> {
    const noBody = method === 'GET' || method === 'HEAD' || body === undefined;
    const request = new Request(`http://localhost:8044${path}`, {
      method: method === 'TRACE' ? 'OPTIONS' : method,
      headers,
      ...(noBody ? {} : { body }),
    });
    return Promise.resolve(
      api.app.request(request, undefined, { incoming: { socket: { remoteAddress: '203.0.113.7' } } }),
    );
  }
  return { ...api, good, token, email, orderId, send };
}
