import { expect, test } from 'vitest';
import { queueDailyEmail } from '#server/app/daily-email.ts';
import { watchClock } from '#server/db/clock-watch.ts';
import { adminFindings } from '#server/doctor/checks.ts';
import { expireOrders } from '#server/fulfilment/expire.ts';
import { eraseExpiredData } from '#server/privacy/retention.ts';
import { DAY, HOUR } from '#server/process/clock.ts';
import { shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { sandboxOf } from '#tests/server/support/payments.ts';
import { firstValue, rowsOf } from '#tests/server/support/rows.ts';

const YEARS = 3_650 * DAY;

async function shop() {
  const api = await shopWithOrder();
  const jobs = async () => {
    await watchClock(api.services);
    await expireOrders(api.services);
    await eraseExpiredData(api.services);
    await queueDailyEmail(api.services);
  };
  /** Lets a running server see each quarter of an hour. */
  const run = async (time: number) => {
    for (let passed = 0; passed < time; passed += HOUR / 4) {
      api.pass(HOUR / 4);
      await (passed % HOUR === 0 ? jobs() : watchClock(api.services));
    }
  };
  const status = (id = api.id) => firstValue(api.db, 'SELECT status FROM orders WHERE id = ?', id);
  const warnings = async () =>
    (await adminFindings(api.services)).flatMap(({ name, problem }) => (name === 'clock' ? [problem] : []));
  await jobs();
  return { ...api, jobs, run, status, warnings };
}

test('a clock that was years ahead deletes and cancels nothing, and afterwards all goes on within a day', async () => {
  const api = await shop();
  const sessions = await rowsOf(api.db, 'SELECT * FROM tokens');
  await api.run(HOUR);
  api.pass(YEARS);
  await api.run(6 * HOUR);
  expect(await api.status()).toBe(0);
  expect(await rowsOf(api.db, 'SELECT * FROM tokens')).toEqual(sessions);
  expect(await api.warnings()).toEqual([
    expect.stringMatching(/its clock went forward, .* Nothing is deleted/),
  ]);
  const { token } = await api.customer();
  const wrong = await api.placeOrder(token);
  const reference = await sandboxOf(api, token).startPayment(wrong.id);

  api.pass(-YEARS);
  await api.jobs();
  expect(await api.warnings()).toEqual([expect.stringContaining('The clock of the server went back')]);
  await api.round();
  expect(await rowsOf(api.db, "SELECT * FROM emails WHERE state = 'waiting'")).toEqual([]);
  const poll = await firstValue(
    api.db,
    'SELECT next_poll_at FROM payment_attempts WHERE reference = ?',
    reference,
  );
  expect(poll).toBeLessThanOrEqual(api.now() + DAY);
  await api.run(2 * DAY);
  expect(await api.status()).toBe(4);
  expect(await api.status(wrong.id)).toBe(0);
  await api.run(2 * DAY);
  expect(await api.status(wrong.id)).toBe(4);
  const reported = await firstValue(api.db, "SELECT value FROM meta WHERE name = 'daily_email_on'");
  expect(reported).toBe('2026-01-09');
});

test('a server that was off for a while deletes what is due after at most a day', async () => {
  const api = await shop();
  api.pass(30 * DAY);
  await api.run(23 * HOUR);
  expect(await api.status()).toBe(0);
  await api.run(2 * HOUR);
  expect([await api.status(), await api.warnings()]).toEqual([4, []]);
});

test('a clock that was years behind changes no times of orders', async () => {
  const api = await shop();
  const times = () => rowsOf(api.db, 'SELECT created_at FROM orders');
  const before = await times();
  api.pass(-YEARS);
  await api.run(3 * HOUR);
  api.pass(YEARS);
  await api.run(3 * HOUR);
  expect(await times()).toEqual(before);
});
