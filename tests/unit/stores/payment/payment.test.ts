// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { left, signIn } from '#tests/unit/stores/support/browser.ts';
import { deferred, fakeApi, orderDto } from '#tests/unit/stores/support/fake-api.ts';

/** Whether the time limit for a response has passed. */
const timeLimit = vi.hoisted(() => ({ isOver: false }));

vi.mock('#stores/shell/pause.ts', () => ({
  pause: () => (timeLimit.isOver ? Promise.resolve() : new Promise(() => {})),
}));

const FAILED = 'Failed to process payment. Please try again later.';

type Answers = Parameters<typeof fakeApi>[0];

const NO_FIELDS: Answers = {
  'GET payments/fields': () => Response.json([]),
  'GET orders': () => Response.json([orderDto()]),
};

const answered = (answer: object): Answers => ({
  'POST payments': () => Response.json(answer),
});

let close = (): void => {};

async function openPage(answers: Answers, address = '/payment?orderId=order-1') {
  history.replaceState(null, '', address);
  const api = fakeApi(answers);
  vi.resetModules();
  const payment = await import('#stores/payment/payment.ts');
  const form = await import('#stores/payment/payment-form.ts');
  const { $toasts } = await import('#stores/shell/toasts.ts');
  form.$paymentForm.listen(() => {});
  close = payment.openPayment();
  const shows = (view: string) => expect.poll(() => payment.$payment.get().view).toBe(view);
  return { ...payment, ...form, $toasts, api, shows };
}

/** Opens the page until its form is shown. */
async function openForm(answers: Answers) {
  const page = await openPage({ ...NO_FIELDS, ...answers });
  await page.shows('form');
  return page;
}

/** The form that was posted last. */
let posted: HTMLFormElement;

beforeEach(() => {
  timeLimit.isOver = false;
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    posted = this;
    left.push(`POST ${this.getAttribute('action')}`);
  });
  signIn();
});

afterEach(() => close());

it.each([
  '?orderId=order-1?status=failed',
  '?orderId=order-1;status=failed',
  '?orderId=order-1&amp;status=failed',
  '?a=1&amp;orderId=order-1',
  '?a=1?orderId=order-1',
  '?orderId=order-1%3Fstatus%3Dfailed',
  '?orderId=order-1/',
  '?orderId=order-1).”',
  '?orderId=&orderId=order-1&orderId=other',
  '?orderId=order-1#/done?orderId=other',
  '?status=done#orderId=order-1',
])('the order to pay is found in the odd address %s', async (query) => {
  const page = await openPage(NO_FIELDS, `/payment${query}`);
  await page.shows('form');
  expect(page.$orderToPay.get().id).toBe('order-1');
});

it('[spec 8.payment.1] the order to pay is missing without an id, and nothing is requested', async () => {
  const page = await openPage(NO_FIELDS, '/payment');
  await page.shows('error');
  expect(page.$payment.get()).toMatchObject({ text: 'Order ID is missing. Please return to checkout.' });
  expect(page.api.calls()).toEqual([]);
});

it('[spec 2.payment.5, 2.payment.6] the order to pay comes from the address, or else is the one that this tab opened last', async () => {
  const named = await openPage(NO_FIELDS);
  await named.shows('form');
  expect(named.$orderToPay.get().id).toBe('order-1');
  close();
  const page = await openPage(NO_FIELDS, '/payment');
  await page.shows('form');
  expect(page.$orderToPay.get().id).toBe('order-1');
});

it('an order that is paid opens the closed view, even before the fields have loaded', async () => {
  const page = await openPage({
    'GET payments/fields': () => new Promise<Response>(() => {}),
    'GET orders': () => Response.json([orderDto({ status: 1 })]),
  });
  await page.shows('closed');
  await page.submitPaymentForm();
  expect(page.api.calls()).not.toContain('POST payments');
});

const CODE = 'upi://pay?pa=shop@bank&am=99.00';
const PENDING: Answers = {
  ...NO_FIELDS,
  'GET orders': () => Response.json([orderDto()]),
  'POST payments': () => Response.json({ success: true, action: { type: 'qr', qr: CODE } }),
};
const qr = { view: 'qr', handover: { text: CODE, link: CODE } };

async function startPayment() {
  const page = await openForm(PENDING);
  await page.submitPaymentForm();
  expect(page.$payment.get()).toMatchObject(qr);
  return page;
}

it.each([
  ['returns the order', PENDING, false],
  ['fails', { 'GET orders': () => Response.json({}, { status: 404 }) }, false],
  ['does not answer in time', { 'GET orders': () => new Promise<Response>(() => {}) }, true],
])('a pending payment is shown again if GET /orders %s', async (_, orders, isLate) => {
  await startPayment();
  close();
  timeLimit.isOver = isLate;
  const page = await openPage({ ...NO_FIELDS, ...orders });
  await expect.poll(() => page.$payment.get()).toMatchObject(qr);
  expect(page.api.calls()).not.toContain('GET payments/fields');
});

it.each([
  ['at once', false],
  ['after its form was shown', true],
])(
  'an order that is not the customer’s has neither form nor pending payment, also if that is known only %s',
  async (_, isLate) => {
    await startPayment();
    close();
    if (isLate) localStorage.clear();
    const orders = deferred();
    timeLimit.isOver = isLate;
    const page = await openPage({ ...NO_FIELDS, 'GET orders': orders.answer });
    if (isLate) await page.shows('form');
    orders.respond(Response.json([]));
    await page.shows('error');
    expect(page.$payment.get()).toMatchObject({ text: 'We cannot find this order in your account.' });
  },
);

it('a pending payment is shown in every tab, also after its time is over', async () => {
  await startPayment();
  close();
  sessionStorage.clear();
  vi.useFakeTimers({ now: Date.now() + 6 * 60_000, toFake: ['Date'] });
  const page = await openPage(PENDING);
  await expect.poll(() => page.$payment.get()).toMatchObject(qr);
  vi.useRealTimers();
});

it('the form is closed when the order was paid while the page was hidden', async () => {
  let status = 0;
  const page = await openForm({ 'GET orders': () => Response.json([orderDto({ status })]) });
  status = 1;
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  await page.shows('closed');
});

it('the form can be sent again when the gateway’s page has not opened in time', async () => {
  const page = await openForm(answered({ success: true, redirectUrl: 'https://pay.example/' }));
  timeLimit.isOver = true;
  await page.submitPaymentForm();
  await expect.poll(() => page.$paymentForm.get()).toMatchObject({ status: 'editing', failure: FAILED });
});

it('a pending payment is not replaced while the order cannot be loaded', async () => {
  const page = await startPayment();
  const api = fakeApi({ ...PENDING, 'GET orders': () => Response.json({}, { status: 404 }) });
  await page.payAgain();
  expect(api.calls()).toEqual(['GET orders']);
  expect(page.$payment.get()).toMatchObject(qr);
  expect(page.$toasts.get()).toMatchObject([{ title: 'Error', text: FAILED, tone: 'error' }]);
  fakeApi({ ...PENDING, 'GET orders': () => Response.json([orderDto({ status: 1 })]) });
  await page.payAgain();
  expect(left).toEqual(['/order-success']);
});

it('a pending payment is replaced once, however often the button is pressed', async () => {
  const page = await startPayment();
  const [first, second] = [deferred(), deferred()];
  const answers = [first.answer, second.answer];
  const api = fakeApi({ ...PENDING, 'GET orders': () => answers.shift()?.() ?? Response.json([]) });
  const tries = [page.payAgain(), page.payAgain()];
  await expect.poll(() => api.calls()).toHaveLength(2);
  first.respond(Response.json([orderDto()]));
  await tries[0];
  second.respond(Response.json([orderDto()]));
  await tries[1];
  expect(api.calls().filter((call) => call === 'POST payments')).toHaveLength(1);
});

it('sends one payment, however often the button is pressed', async () => {
  const late = deferred();
  const page = await openForm({ 'POST payments': late.answer });
  const tries = [page.submitPaymentForm(), page.submitPaymentForm(), page.submitPaymentForm()];
  late.respond(Response.json({ success: true, redirectUrl: 'https://pay.example/' }));
  await Promise.all(tries);
  await page.submitPaymentForm();
  expect(page.api.calls().filter((call) => call === 'POST payments')).toHaveLength(1);
  expect(left).toEqual(['https://pay.example/']);
  expect(page.$paymentForm.get().status).toBe('working');
});

it.each([
  ['[spec 8.payment.5]', () => Response.json({ success: false, error: 'No' }), 'No'],
  ['[spec 8.payment.5]', () => Response.json({ error: 'Too late' }, { status: 409 }), 'Too late'],
  ['[spec 8.payment.4]', () => new Response('', { status: 500 }), FAILED],
  ['[spec 8.payment.4]', () => Response.json([]), FAILED],
  ['[spec 8.payment.4]', () => Response.error(), FAILED],
])('%s shows failure %# in the form, which can be sent again', async (_, answer, text) => {
  const page = await openForm({ 'POST payments': answer });
  await page.submitPaymentForm();
  expect(page.$paymentForm.get()).toMatchObject({ status: 'editing', failure: text });
  await page.submitPaymentForm();
  expect(page.$paymentForm.get().attempt).toBe(2);
});

it('shows at its field what the server finds wrong with it', async () => {
  const fields = [{ name: 'gstin', label: 'GSTIN', defaultValue: 'X' }];
  const refusal = { success: false, error: 'Check the GSTIN', target: 'gstin' };
  const page = await openForm({
    'GET payments/fields': () => Response.json(fields),
    'POST payments': () => Response.json(refusal),
  });
  await page.submitPaymentForm();
  const { errors, failure } = page.$paymentForm.get();
  expect([[...errors], failure]).toEqual([[['gstin', 'Check the GSTIN']], undefined]);
});

it('[spec 4.auth.5] opens the sign-in after the session has ended, and then this order again', async () => {
  const page = await openForm({ 'POST payments': () => Response.json({}, { status: 401 }) });
  await page.submitPaymentForm();
  expect(left).toEqual(['/login']);
  expect(sessionStorage.getItem('fresh-fruits.from')).toBe('/payment?orderId=order-1');
});

it.each([
  ['[spec 4.payment.7]', { redirectUrl: 'https://pay.example/x' }, ['https://pay.example/x']],
  ['[spec 4.payment.8]', {}, ['/orders']],
  ['[no other scheme]', { redirectUrl: 'javascript:alert(1)' }, []],
  ['[spec 4.payment.3]', { action: { type: 'deeplink', redirectUrl: 'upi://pay' } }, ['upi://pay']],
  ['[spec 4.payment.4]', { action: { type: 'qr', qr: 'upi://pay' } }, []],
])('%s a success with %j opens %j', async (_, answer, targets) => {
  const page = await openForm(answered({ success: true, ...answer }));
  await page.submitPaymentForm();
  expect(left).toEqual(targets);
});

it('[spec 4.payment.2] posts every field under its name in a hidden form', async () => {
  const formParams = { type: 'card', url: 'https://pay.example/form', data: { submit: '1', a: '<&"' } };
  const page = await openForm(answered({ success: true, action: { type: 'redirect_post', formParams } }));
  await page.submitPaymentForm();
  expect(left).toEqual(['POST https://pay.example/form']);
  expect([...new FormData(posted)]).toEqual([
    ['type', 'card'],
    ['url', 'https://pay.example/form'],
    ['data[submit]', '1'],
    ['data[a]', '<&"'],
  ]);
  expect([posted.method, posted.hidden]).toEqual(['post', true]);
});

it('with PUBLIC_PAYMENT_HOSTS it opens only those hosts', async () => {
  vi.stubEnv('PUBLIC_PAYMENT_HOSTS', ' Pay.Example , other.example');
  const action = {
    type: 'redirect_post',
    formParams: { type: '', url: 'https://evil.example/', data: {} },
  };
  const page = await openForm(answered({ success: true, action }));
  await page.submitPaymentForm();
  expect(left).toEqual([]);
  close();
  const allowed = await openForm(answered({ success: true, redirectUrl: 'https://pay.example/' }));
  await allowed.submitPaymentForm();
  expect(left).toEqual(['https://pay.example/']);
});
