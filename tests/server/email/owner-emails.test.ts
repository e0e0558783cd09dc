import { expect, it, onTestFinished } from 'vitest';
import { formatPaise } from '#domain/money.ts';
import { queueDailyEmail } from '#server/app/daily-email.ts';
import { paymentMethodsOf } from '#server/payments/providers/providers.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { refundOrder } from '#server/payments/refund-order.ts';
import { settlePayment } from '#server/payments/settle.ts';
import { HOUR, MINUTE } from '#server/process/clock.ts';
import type { Settings } from '#server/settings/settings.ts';
import { ORDERS, packing, shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { ORDER_TOTAL } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { firstValue, rowsOf, runSql, valuesOf } from '#tests/server/support/rows.ts';
import { startRazorpay } from '#tests/support/providers/razorpay.ts';

const total = formatPaise(ORDER_TOTAL);

/** A shop of two owners, one without a password yet, with a packer and an order. */
async function shopOfOwners(settings: Partial<Settings> = {}) {
  const shop = await shopWithOrder(settings);
  const sql =
    "INSERT INTO staff (id, email, name, role, created_at) VALUES ('new', 'new@x.in', '', 'owner', 1)";
  await runSql(shop.db, sql);
  async function begin(method: string = METHODS.qr): Promise<string> {
    const references = () => valuesOf(shop.db, 'SELECT reference FROM payment_attempts');
    const before = await references();
    await shop.submit(shop.id, { method });
    return String((await references()).find((reference) => !before.includes(reference)));
  }
  const settle = (reference: string, amountPaise = ORDER_TOTAL) =>
    settlePayment(shop.services, 'sandbox', reference, {
      outcome: 'succeeded',
      amountPaise,
      currency: 'INR',
    });
  /** The emails that the owners have received. */
  const ownerEmails = () => shop.server.received.filter(({ recipients }) => !recipients.includes(shop.email));
  return { ...shop, begin, settle, ownerEmails };
}

it('a wrong amount is reported at once to each owner who can sign in, with a link to the order', async () => {
  const shop = await shopOfOwners();
  await shop.settle(await shop.begin(), 100);
  await shop.sendDue();
  expect(shop.ownerEmails()).toMatchObject([
    {
      recipients: ['owner@example.com'],
      subject: `A payment needs attention: order ${shop.number}`,
      text: expect.stringContaining(`${total} was expected. ₹1 was reported.`),
    },
  ]);
  expect(shop.ownerEmails()[0]?.text).toContain(`${shop.services.apiOrigin}${shop.page}\n`);
});

it('a second payment of an order, and a payment of a cancelled order, are each reported once', async () => {
  const shop = await shopOfOwners();
  const [first, second] = [await shop.begin(), await shop.begin(METHODS.card)];
  await shop.settle(first);
  await shop.sendDue();
  expect(shop.ownerEmails()).toEqual([]);
  await shop.settle(second);
  await shop.settle(second);
  await shop.sendDue();
  expect(shop.ownerEmails().map(({ text }) => text)).toEqual([
    expect.stringContaining(`${total} was paid and must be refunded: more was paid than is owed.`),
  ]);
  await shop.ask(`/orders/${shop.id}/cancel`, { token: shop.token, json: {} });
  shop.pass(5 * MINUTE);
  await shop.sendDue();
  expect(shop.ownerEmails()).toHaveLength(2);
  expect(shop.ownerEmails()[1]?.text).toContain('the order is Cancelled.');
});

it.each([
  ['the refund is automatic', { autoRefund: true }],
  ['there is no owner any more', {}],
])('sends no email about a payment that needs no attention by then: %s', async (_why, settings) => {
  const shop = await shopOfOwners(settings);
  const [first, second] = [await shop.begin(), await shop.begin(METHODS.card)];
  await shop.settle(first);
  await shop.settle(second);
  if (!shop.services.settings.autoRefund)
    await runSql(shop.db, "UPDATE staff SET role = 'packer' WHERE role = 'owner'");
  await shop.sendDue();
  expect(shop.ownerEmails()).toEqual([]);
});

it('emails the owners what happened at the provider, and what is left', async () => {
  const provider = await startRazorpay();
  onTestFinished(provider.close);
  const shop = await shopOfOwners({ paymentProviders: ['razorpay'], environment: provider.environment });
  const reference = await shop.begin((await paymentMethodsOf(shop.services))[0]?.option);
  provider.end(reference, { outcome: 'succeeded' }, shop.now());
  shop.pass(2 * MINUTE);
  await reconcile(shop.services);
  provider.setRefunds('refused');
  const book = { services: shop.services, orderNumber: 1, recordedBy: 'owner' };
  await shop.db.write((transaction) =>
    refundOrder({ transaction, ...book }, { paise: 100_000, reason: 'Bad' }),
  );
  await reconcile(shop.services);
  await reconcile(shop.services);
  await shop.sendDue();
  const subject = `A payment needs attention: order ${shop.number}`;
  const words = await firstValue(shop.db, "SELECT provider_message FROM movements WHERE kind = 'refund'");
  expect(words).toMatch(/balance/);
  const said = expect.stringContaining(`₹1,000 could not be refunded (Bad): ${words}`);
  expect(shop.ownerEmails()).toMatchObject([{ subject, text: said }]);
  expect(shop.ownerEmails()[0]?.text).toContain(`You still have ${total} of what was paid`);

  provider.refundThere(reference, 50_000, shop.now());
  const respondBy = Date.UTC(2030, 0, 2, 10);
  provider.dispute(reference, { paise: 39_000, state: 'open', respondBy }, shop.now());
  shop.pass(24 * 60 * MINUTE);
  await reconcile(shop.services);
  await shop.sendDue();
  const [, news, ...others] = shop.ownerEmails();
  expect(others).toEqual([]);
  for (const text of [
    '₹500 was refunded at Razorpay, not here.',
    '₹390 is in dispute',
    'Answer by 2 January 2030 at 3:30 pm.',
  ])
    expect(news?.text).toContain(text);
});

type Api = Awaited<ReturnType<typeof emailsApi>>;

/** The daily emails so far. */
const daily = ({ server }: Api) =>
  server.received.filter(({ subject }) => /^\d+ \w+ \d{4}: /.test(subject ?? ''));

/** Sets the clock to this time in India, and sends what is due. */
async function until(api: Api, india: string): Promise<void> {
  api.pass(Date.parse(`${india}+05:30`) - api.now());
  await queueDailyEmail(api.services);
  await api.sendDue();
}

it('reports the orders of the day before in India, the tasks and the findings to each owner', async () => {
  const api = await packing({ dailyEmailHour: 7 });
  for (const india of ['2026-01-04T23:59:59', '2026-01-05T00:00:00', '2026-01-05T23:59:59']) {
    const [at, id] = [Date.parse(`${india}+05:30`), await api.place()];
    await runSql(api.db, 'UPDATE orders SET created_at = ? WHERE id = ?', at, id);
  }
  const [cancelled, packed] = [`${ORDERS}/${await api.place()}/cancel`, `${ORDERS}/${await api.place()}`];
  await api.owner.submit(cancelled, cancelled);
  await api.owner.submit(packed, `${packed}/process`);
  api.server.misbehave((address) => (address === api.email ? { refuse: 550 } : undefined));
  await until(api, '2026-01-06T07:00:00');
  const sum = formatPaise(4 * ORDER_TOTAL);
  const [recipients, subject] = [['owner@example.com'], `5 January 2026: 4 orders, ${sum}`];
  expect(daily(api)).toMatchObject([{ recipients, subject }]);
  for (const text of [
    `Orders: 4, ${sum}`,
    `Of these cancelled: 1, ${total}`,
    '• 1 order to pack',
    '• There is no backup of the shop yet. Run npm run backup',
    `${api.services.apiOrigin}/admin\n`,
  ])
    expect(daily(api)[0]?.text).toContain(text);
  await until(api, '2026-01-07T09:00:00');
  expect(daily(api)[1]?.subject).toBe('6 January 2026: 0 orders, ₹0');
  expect(daily(api)[1]?.text).toContain('emails could not be sent');
});

it('counts every order of the day in one line, and cash to collect as a task', async () => {
  const api = await packing({ dailyEmailHour: 7 });
  const ids: string[] = [];
  while (ids.length < 6) ids.push(await api.place());
  const [refunded, returnedToOrigin, cash, paid, free] = ids;
  const set = (id: string | undefined, columns: string) =>
    runSql(api.db, `UPDATE orders SET ${columns} WHERE id = ?`, id ?? '');
  await set(
    refunded,
    `status = 1, received_paise = ${ORDER_TOTAL}, returned_paise = ${ORDER_TOTAL},
    adjusted_paise = ${ORDER_TOTAL}`,
  );
  await set(returnedToOrigin, 'status = 5');
  await set(cash, 'status = 2, paid_at_door = 1');
  await set(paid, `status = 3, received_paise = ${ORDER_TOTAL}`);
  await set(free, `status = 3, adjusted_paise = ${ORDER_TOTAL}`);
  await until(api, '2026-01-06T07:00:00');
  const text = daily(api)[0]?.text ?? '';
  const lines = ['refunded', 'came back', 'to collect on delivery', 'paid', 'unpaid', 'with nothing to pay'];
  for (const line of lines) expect(text).toContain(`Of these ${line}: 1, ${total}`);
  expect(text.match(/Of these/g)).toHaveLength(6);
  expect(text).toContain(`Cash to collect in all: 1, ${total}`);
  expect(text).toContain('• Cash of 1 order to collect');
  expect(text).not.toContain('to pack');
});

it('is sent once a day after the hour, by several processes and after a restart', async () => {
  const api = await emailsApi({ dailyEmailHour: 7 });
  await api.staff('owner');
  const count = async () => {
    await api.sendDue();
    return daily(api).length;
  };
  await until(api, '2026-01-06T06:59:59');
  const before = await count();
  api.pass(1_000);
  await Promise.all([1, 2, 3].map(() => queueDailyEmail(api.services)));
  expect(await count()).toBe(before + 1);
  for (let hours = 0; hours < 23; hours += 1) {
    api.pass(HOUR);
    await queueDailyEmail(api.services);
  }
  expect(await count()).toBe(before + 1);
  api.pass(HOUR);
  await queueDailyEmail(api.services);
  expect(await count()).toBe(before + 2);
});

it('is not sent in a shop without emails or without an owner', async () => {
  const api = await emailsApi();
  await queueDailyEmail({ ...api.services, settings: { ...api.services.settings, mail: undefined } });
  expect(await rowsOf(api.db, "SELECT * FROM meta WHERE name = 'daily_email_on'")).toEqual([]);
  await queueDailyEmail(api.services);
  expect(await rowsOf(api.db, 'SELECT * FROM emails')).toEqual([]);
});
