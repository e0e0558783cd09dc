import { expect, test } from 'vitest';
import { queueDailyEmail } from '#server/app/daily-email.ts';
import { watchClock } from '#server/db/clock-watch.ts';
import { findAlerts } from '#server/doctor/alerts.ts';
import { expireOrders } from '#server/fulfilment/expire.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { eraseExpiredData } from '#server/privacy/retention.ts';
import { DAY, HOUR, hourOf, MINUTE } from '#server/process/clock.ts';
import { shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { sandboxOf } from '#tests/server/support/payments.ts';
import { firstValue, rowsOf, runSql } from '#tests/server/support/rows.ts';

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
    (await findAlerts(api.services)).flatMap(({ name, problem }) => (name === 'clock' ? [problem] : []));
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
  await api.sendDue();
  expect(await rowsOf(api.db, "SELECT * FROM emails WHERE state = 'waiting'")).toEqual([]);
  await reconcile(api.services);
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

test.each([
  ['a minute', MINUTE],
  ['an hour', HOUR],
  ['a day', DAY],
])('what was stored while the clock was ahead by %s waits for nothing', async (_name, jump) => {
  const api = await shop();
  const { token } = await api.customer();
  await api.placeOrder(token);
  api.pass(jump);
  // Claimed by a process that dies.
  await runSql(api.db, 'UPDATE emails SET next_try_at = ?, changed_at = ?', api.now() + 45_000, api.now());
  const { startPayment } = sandboxOf(api, token);
  const polled = await startPayment((await api.placeOrder(token)).id);
  const timesOf = (name: string) =>
    rowsOf(
      api.db,
      'SELECT polled_at AS at, next_poll_at AS next FROM payment_attempts WHERE reference = ?',
      name,
    );
  api.pass(2 * MINUTE);
  await reconcile(api.services);
  expect(await timesOf(polled)).toMatchObject([{ at: api.now() }]);
  const started = await startPayment((await api.placeOrder(token)).id);
  api.pass(-jump);

  await reconcile(api.services);
  for (const name of [started, polled]) {
    const [times] = await timesOf(name);
    expect(times).toMatchObject({ at: api.now() });
    expect(times?.next).toBeLessThanOrEqual(api.now() + 2 * MINUTE);
  }
  await api.sendDue();
  expect(await rowsOf(api.db, "SELECT * FROM emails WHERE state = 'waiting'")).toEqual([]);
  await expireOrders(api.services);
  const hour = await firstValue(api.db, "SELECT value FROM meta WHERE name = 'expired_hour'");
  expect(hour).toBe(hourOf(api.now()));
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
