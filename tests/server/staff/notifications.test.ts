import { expect, test } from 'vitest';
import { sendStaffNotifications } from '#server/app/staff-notifications.ts';
import { HOUR, MINUTE } from '#server/process/clock.ts';
import { documentOf, mainText } from '#tests/server/support/admin.ts';
import { ORDERS, packing } from '#tests/server/support/admin-orders.ts';
import { countRows, rowsOf } from '#tests/server/support/rows.ts';

const PAGE = '/admin/notifications';

type Choices = Readonly<Record<string, string>>;

/** A shop whose packer chose these. */
async function shop(choices: Choices) {
  const api = await packing({ dailyEmailHour: 7 });
  const choose = (chosen: Choices) => api.packer.submit(PAGE, PAGE, chosen);
  await choose(choices);
  /** The emails to the packer so far, after those that are due were sent. */
  const received = async () => {
    await api.sendDue();
    return api.sentTo(api.packer.email);
  };
  const texts = async () => (await received()).map(({ text = '' }) => text);
  const cancel = (id: string) => api.ask(`/orders/${id}/cancel`, { token: api.token, json: {} });
  return { ...api, choose, received, texts, cancel };
}

test('each role chooses among its topics, and gets what it got before by default', async () => {
  const api = await packing();
  const topics = async ({ get }: typeof api.owner) =>
    [...documentOf((await get(PAGE)).text).querySelectorAll('main select')].map((select) => [
      select.getAttribute('name'),
      select.querySelector('option[selected]')?.getAttribute('value'),
    ]);
  const ofOrders = ['orders', 'cancellations', 'returns'].map((topic) => [topic, 'never']);
  expect(await topics(api.packer)).toEqual([...ofOrders, ['messages', 'never']]);
  expect(await topics(api.owner)).toEqual([...ofOrders, ['messages', 'never'], ['money', 'now']]);
  expect(await topics(await api.staff('editor'))).toEqual([['messages', 'never']]);
  const saved = await api.packer.submit(PAGE, PAGE, { orders: 'hourly' });
  expect([saved.status, saved.location]).toEqual([303, PAGE]);
  expect((await topics(api.packer))[0]).toEqual(['orders', 'hourly']);
  const refused = await api.packer.submit(PAGE, PAGE, { orders: 'sometimes' });
  expect(refused.status).toBe(422);
  const { text } = await api.packer.get('/admin');
  expect(documentOf(text).querySelector(`header a[href="${PAGE}"]`)).not.toBeNull();
});

test('at once, many orders are one email, and the next comes after five minutes', async () => {
  const api = await shop({ orders: 'now' });
  const first = await api.place();
  expect(await api.received()).toMatchObject([{ subject: expect.stringMatching(/^New order \S+: ₹1,798$/) }]);
  expect((await api.texts())[0]).toContain(`${ORDERS}/${first}\n`);
  for (let orders = 0; orders < 3; orders += 1) await api.place();
  api.pass(4 * MINUTE);
  expect(await api.received()).toHaveLength(1);
  api.pass(MINUTE);
  expect((await api.received())[1]).toMatchObject({ subject: '3 updates from the shop' });
  api.pass(HOUR);
  expect(await api.received()).toHaveLength(2);
});

test('hourly and daily emails wait for their time and lose nothing', async () => {
  const api = await shop({ orders: 'hourly', returns: 'daily', messages: 'daily' });
  await api.place();
  const message = { name: 'Asha', email: 'a@b.in', subject: 'Hi', message: 'Hello', website: '' };
  for (let messages = 0; messages < 2; messages += 1) await api.ask('/contact', { json: message });
  api.pass(59 * MINUTE);
  expect(await api.received()).toEqual([]);
  api.pass(MINUTE);
  expect(await api.texts()).toEqual([expect.stringContaining('New order')]);
  // The day of the daily emails begins at 7 in India, which is 1:30 in UTC.
  api.pass(Date.parse('2026-01-06T01:29:00Z') - api.now());
  expect(await api.received()).toHaveLength(1);
  api.pass(MINUTE);
  expect((await api.texts())[1]).toContain('2 messages of the contact form');
});

test('a cancelled order whose slip was printed is reported at once, and not if that was taken back', async () => {
  const api = await shop({ cancellations: 'daily' });
  const [printed, other, restored] = [await api.place(), await api.place(), await api.place()];
  for (const id of [printed, restored]) await api.packer.get(`${ORDERS}/${id}/slip`);
  await api.cancel(other);
  expect(await api.received()).toEqual([]);
  await api.cancel(printed);
  await api.owner.submit(`${ORDERS}/${restored}/cancel`, `${ORDERS}/${restored}/cancel`);
  await api.owner.submit(`${ORDERS}/${restored}/take-back`, `${ORDERS}/${restored}/take-back`, {
    reason: 'A mistake',
  });
  expect(await api.texts()).toEqual([
    expect.stringContaining('was cancelled, and its packing slip was printed: do not send it.'),
  ]);
});

test('nothing is lost or sent twice by several processes, and Never also ends what waits', async () => {
  const api = await shop({ orders: 'hourly' });
  await api.place();
  expect(await rowsOf(api.db, 'SELECT topic FROM notifications')).toEqual([{ topic: 'orders' }]);
  api.pass(HOUR);
  await Promise.all([1, 2, 3].map(() => sendStaffNotifications(api.services)));
  expect(await api.received()).toHaveLength(1);
  await api.place();
  await api.choose({ orders: 'never' });
  await api.place();
  expect(await api.received()).toHaveLength(1);
  expect(await countRows(api.db, 'notifications')).toBe(0);
});

test('a note that a clock ahead has made waits for nothing', async () => {
  const api = await shop({ orders: 'hourly' });
  api.pass(48 * HOUR);
  await api.place();
  api.pass(-48 * HOUR);
  expect(await api.received()).toHaveLength(1);
  expect(mainText((await api.packer.get(PAGE)).text)).toContain('Which emails you get at packer@example.com');
});
