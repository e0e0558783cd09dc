import * as v from 'valibot';
import { expect, it } from 'vitest';
import { formatPaise } from '#domain/money.ts';
import { writeDailyLetter } from '#scripts/api/app/daily-letter.ts';
import { OrderSchema } from '#scripts/api/orders/schema.ts';
import { MANGO, ORDER_TOTAL } from '#tests/api/support/api.ts';
import { lettersApi } from '#tests/api/support/letters.ts';
import { anyRow } from '#tests/api/support/rows.ts';

const HOUR = 60 * 60_000;

type Api = Awaited<ReturnType<typeof lettersApi>>;

/** Orders at 15:30 of 5 January 2026 in India, or at a time. @returns its id */
async function order(api: Api, token: string, india?: string): Promise<string> {
  const { id } = v.parse(OrderSchema, (await api.order(token, { [MANGO]: 2 })).json);
  if (india !== undefined)
    await api.db.write((t) =>
      t.run('UPDATE orders SET created_at = ? WHERE id = ?', Date.parse(`${india}+05:30`), id),
    );
  return id;
}

/** What the owners were written so far. */
const daily = ({ server }: Api) =>
  server.received.filter(({ subject }) => /^\d+ \w+ \d{4}: /.test(subject ?? ''));

/** Lets time pass until this moment in India, and sends what is due then. */
async function until(api: Api, india: string): Promise<void> {
  api.pass(Date.parse(`${india}+05:30`) - api.now());
  await writeDailyLetter(api.shop);
  await api.round();
}

it('tells each owner of the orders of the day before in India, what waits, and what the shop has found', async () => {
  const api = await lettersApi({ dailyLetterHour: 7 });
  const owner = await api.staff('owner');
  await api.staff('packer');
  const { token } = await api.customer('asha@example.com');
  await order(api, token, '2026-01-04T23:59:59');
  await order(api, token, '2026-01-05T00:00:00');
  await order(api, token, '2026-01-05T23:59:59');
  const cancelled = await order(api, token);
  await owner.submit(`/office/orders/${cancelled}/cancel`, `/office/orders/${cancelled}/cancel`);
  const packed = await order(api, token);
  await owner.submit(`/office/orders/${packed}`, `/office/orders/${packed}/process`);
  api.server.misbehave((address) => (address === 'asha@example.com' ? { refuse: 550 } : undefined));
  await until(api, '2026-01-06T07:00:00');
  const [letter, ...others] = daily(api);
  expect(others).toEqual([]);
  expect(letter?.recipients).toEqual(['owner@example.com']);
  const total = formatPaise(4 * ORDER_TOTAL);
  expect(letter?.subject).toBe(`5 January 2026: 4 orders, ${total}`);
  const text = letter?.text ?? '';
  expect(text).toContain(`Orders: 4, ${total}`);
  expect(text).toContain(`Of these cancelled: 1, ${formatPaise(ORDER_TOTAL)}`);
  expect(text).toContain('• 1 order to pack');
  expect(text).toContain('• Nobody has backed the shop up yet. Run npm run backup');
  expect(text).not.toContain('bills');
  expect(text).toContain(`${api.shop.apiOrigin}/office\n`);

  await until(api, '2026-01-07T09:00:00');
  expect(daily(api)[1]?.subject).toBe('6 January 2026: 0 orders, ₹0');
  expect(daily(api)[1]?.text).toContain('letters could not be sent');
});

it('is written once a day, by whatever process comes first after the hour, also after a restart', async () => {
  const api = await lettersApi({ dailyLetterHour: 7 });
  await api.staff('owner');
  const count = async () => {
    await api.round();
    return daily(api).length;
  };
  await until(api, '2026-01-06T06:59:59');
  const before = await count();
  api.pass(1_000);
  await Promise.all([1, 2, 3].map(() => writeDailyLetter(api.shop)));
  expect(await count()).toBe(before + 1);
  for (let hours = 0; hours < 23; hours += 1) {
    api.pass(HOUR);
    await writeDailyLetter(api.shop);
  }
  expect(await count()).toBe(before + 1);
  api.pass(HOUR);
  await writeDailyLetter(api.shop);
  expect(await count()).toBe(before + 2);
});

it('tells of each day that nobody was told about, of a week at most', async () => {
  const api = await lettersApi({ dailyLetterHour: 7 });
  await api.staff('owner');
  // Letters of one moment are sent in any order.
  const days = () =>
    daily(api)
      .map(({ subject }) => Number.parseInt(subject ?? '', 10))
      .sort((a, b) => a - b);
  await until(api, '2026-01-06T07:00:00');
  await until(api, '2026-01-09T12:00:00');
  expect(days()).toEqual([5, 6, 7, 8]);
  await until(api, '2026-01-29T12:00:00');
  expect(days().slice(4)).toEqual([22, 23, 24, 25, 26, 27, 28]);
});

it('is not written where the shop sends no letters, and to nobody where there is no owner', async () => {
  const api = await lettersApi();
  await writeDailyLetter({ ...api.shop, settings: { ...api.shop.settings, mail: undefined } });
  expect(await api.db.all(anyRow, "SELECT * FROM meta WHERE name = 'daily_letter_on'")).toEqual([]);
  await writeDailyLetter(api.shop);
  expect(await api.db.all(anyRow, 'SELECT * FROM letters')).toEqual([]);
});
