import { expect, test } from 'vitest';
import { runBatches } from '#server/fulfilment/batches/run-batches.ts';
import { HOUR, MINUTE } from '#server/process/clock.ts';
import {
  documentOf,
  expectPage,
  filledForm,
  mainText,
  readCsv,
  tableRows,
} from '#tests/server/support/admin.ts';
import { cellsOf, makeBatch, ORDERS, packing } from '#tests/server/support/admin-orders.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { runSql, valuesOf } from '#tests/server/support/rows.ts';
import { UNLIMITED } from '#tests/support/api.ts';

/** A shop whose owner presses buttons for many orders. */
async function batching(...given: Parameters<typeof packing>) {
  const shop = await packing(...given);
  const begin = async (path: string, browser = shop.owner) => {
    await browser.submit(path, `${path}/start`);
    await shop.finish();
  };
  /** Makes a batch and starts it. Returns its path. */
  const run = async (...how: Parameters<typeof makeBatch>) => {
    const { path } = await makeBatch(...how);
    await begin(path);
    return path;
  };
  const read = async (path: string) => mainText((await shop.owner.get(path)).text);
  /** Places orders that are paid. Returns their ids. */
  const paid = async (count: number) => {
    const ids: string[] = [];
    for (let each = 0; each < count; each += 1) ids.push(await shop.place());
    for (const id of ids) await shop.pay(id);
    return ids;
  };
  return { ...shop, begin, run, read, paid };
}

test('does with ticked orders what is possible, and says which were skipped and why', async () => {
  const { owner, packer, place, paid, statuses, log, begin, read } = await batching();
  const [one = '', two = '', three = ''] = [...(await paid(2)), await place()];
  const mine = await makeBatch(packer, 'ship', { order: [one, two, three, 'unknown'] });
  const theirs = await makeBatch(owner, 'ship', { order: [three, two, one] });
  expect(mainText(mine.text)).toMatch(
    /Mark as shipped: 2 orders\?1 order of 3 would be.*Nothing: it is Pending/,
  );
  expect(await statuses()).toEqual([1, 1, 0]);
  await Promise.all([begin(mine.path, packer), begin(theirs.path)]);
  expect([await statuses(), (await log()).length]).toEqual([[2, 2, 0], 2]);
  const results = [await read(mine.path), await read(theirs.path)];
  expect(results.filter((text) => text.includes('2 of 3 done, 1 skipped'))).toHaveLength(1);
  expect(results.filter((text) => text.includes('0 of 3 done, 3 skipped'))).toHaveLength(1);
  for (const text of results)
    expect(text).toMatch(
      /FF-1003-\w{4}PendingSkipped: it is Pending; this needs an order that is Processing/,
    );

  expectPage(await makeBatch(packer, 'deliver', {}, `${ORDERS}?status=2`), 422, 'No order was ticked');
  expectPage(await makeBatch(owner, 'cancel', { order: three }), 200, 'Cancel: 1 order?');
  expectPage(await makeBatch(packer, 'deliver', { order: three }), 200, 'Mark as delivered: 0 orders?');
  expect(await statuses()).toEqual([2, 2, 0]);
});

test('all that match are fixed when they are asked for, also if there are more than a page has', async () => {
  const { owner, place, db, statuses, begin, read } = await batching(UNLIMITED);
  for (let count = 0; count < 20; count += 1) await place();
  await runSql(db, 'UPDATE orders SET status = 1, received_paise = total_paise WHERE number > 2');
  const list = `${ORDERS}?status=1`;
  expect(mainText((await owner.get(list)).text)).toContain('All 18 that match');
  const { path, text } = await makeBatch(owner, 'ship', { all: 'yes' }, list);
  expect(mainText(text)).toMatch(/Mark as shipped: 18 orders\?.*18 emails go out/);
  // The first order is paid after the page has asked: it is not among the 18.
  await runSql(db, 'UPDATE orders SET status = 1, received_paise = total_paise WHERE number = 1');
  await begin(path);
  expect((await statuses()).toSorted()).toEqual([0, 1, ...Array(18).fill(2)]);
  expect(await read(path)).toContain('Finished: 18 of 18 done.');
  // A filter that cannot be read is not 'all orders'.
  const form = filledForm((await owner.get(list)).text, `${ORDERS}/batches/slips`, {
    all: 'yes',
    status: 'x',
  });
  expectPage(await owner.post(`${ORDERS}/batches/cancel`, form), 422, 'cannot be read');
  expect(await statuses()).not.toContain(4);
});

test('of what is not paid only the orders that an owner ticks are shipped, and a packer is told to ask one', async () => {
  const { owner, packer, place, db, statuses, read, finish } = await batching(UNLIMITED);
  for (let count = 0; count < 4; count += 1) await place();
  await runSql(db, 'UPDATE orders SET status = 1');
  await runSql(db, 'UPDATE orders SET received_paise = total_paise WHERE number = 1');
  await runSql(db, 'UPDATE orders SET paid_at_door = 1 WHERE number = 2');
  const list = `${ORDERS}?status=1`;
  const tick = async (browser: typeof owner, { path, text }: { path: string; text: string }, of: string) => {
    const start = `${path}/start`;
    const form = filledForm(text, start);
    form.append('unpaid', of);
    await browser.post(start, form);
    await finish();
  };
  const theirs = await makeBatch(packer, 'ship', { all: 'yes' }, list);
  expect(mainText(theirs.text)).toMatch(
    /Mark as shipped: 2 orders\?2 orders of 4 would be skipped.*Not paid: 2 orders\. Ask an owner/,
  );
  expect(documentOf(theirs.text).querySelectorAll('[name=unpaid]')).toHaveLength(0);
  await tick(packer, theirs, '3');
  expect([await statuses(), await read(theirs.path)]).toEqual([
    [2, 2, 1, 1],
    expect.stringContaining('Skipped: it is not paid'),
  ]);
  const mine = await makeBatch(owner, 'ship', { all: 'yes' }, list);
  expect(mainText(mine.text)).toMatch(/Mark as shipped: 0 orders\?.*₹1,798 to pay.*unless you tick it above/);
  await tick(owner, mine, '4');
  expect(await statuses()).toEqual([2, 2, 1, 2]);
});

test('a batch that is pressed twice runs once, and its customers get one email each', async () => {
  const { owner, paid, pass, sendDue, sentTo, email, log, finish } = await batching();
  await paid(2);
  const { path, text } = await makeBatch(owner, 'ship', { all: 'yes' });
  const again = (await owner.get(path)).text;
  const start = `${path}/start`;
  await owner.post(start, filledForm(text, start));
  await Promise.all([text, again].map((page) => owner.post(start, filledForm(page, start))));
  await finish();
  expect((await log()).map(({ action }) => action)).toEqual(['shipped', 'shipped']);
  pass(2 * MINUTE);
  await sendDue();
  expect(sentTo(email).filter(({ subject = '' }) => subject.includes('on its way'))).toHaveLength(2);
});

test('another process goes on where one was killed, and one that was only slow does nothing more', async () => {
  const { owner, paid, db, pass, services, statuses, log, read, finish } = await batching();
  await paid(3);
  const { path } = await makeBatch(owner, 'ship', { all: 'yes' });
  const killed = { ...services, isStopping: () => true };
  await runSql(db, 'UPDATE batches SET started_at = 1');
  // The process was killed after one order, and its claim is left.
  await finish();
  await runSql(
    db,
    "UPDATE batches SET ended_at = NULL, claimed_by = 'killed', claimed_until = ?",
    services.clock() + 30_000,
  );
  await runSql(db, "UPDATE batch_orders SET state = 'waiting' WHERE order_number > 1");
  await runSql(db, 'UPDATE orders SET status = 1 WHERE number > 1');
  await runBatches(services);
  expect([await statuses(), await read(path)]).toEqual([
    [2, 1, 1],
    expect.stringContaining('1 of 3 done, 2 to do'),
  ]);
  expect((await owner.get(path)).text).toContain('http-equiv="refresh"');
  pass(30_000);
  await runBatches(killed);
  expect(await statuses()).toEqual([2, 1, 1]);
  await finish();
  expect([await statuses(), (await log()).length]).toEqual([[2, 2, 2], 5]);
  expect((await owner.get(path)).text).not.toContain('http-equiv="refresh"');

  // A claim that a wrong clock made does not hold for years.
  const next = await makeBatch(owner, 'deliver', { all: 'yes' }, `${ORDERS}?status=2`);
  await runSql(
    db,
    'UPDATE batches SET started_at = 1, claimed_until = ? WHERE ended_at IS NULL',
    services.clock() + HOUR,
  );
  await finish();
  expect(await read(next.path)).toContain('Finished: 3 of 3 done');
});

test('two processes share the orders of two batches, and each order is done once', async () => {
  const { owner, paid, db, services, statuses, log, finish } = await batching();
  await paid(6);
  await makeBatch(owner, 'ship', { all: 'yes' });
  await makeBatch(owner, 'ship', { all: 'yes' });
  await runSql(db, 'UPDATE batches SET started_at = 1');
  await Promise.all([runBatches(services), runBatches(services), runBatches(services)]);
  await finish();
  expect([await statuses(), (await log()).length]).toEqual([Array(6).fill(2), 6]);
  expect(await valuesOf(db, 'SELECT state FROM batch_orders ORDER BY state')).toEqual([
    ...Array(6).fill('done'),
    ...Array(6).fill('skipped'),
  ]);
});

test('one order that fails leaves the others done, and a batch that is stopped leaves the rest as it was', async () => {
  const { owner, paid, db, statuses, read, finish } = await batching();
  await paid(3);
  const { path } = await makeBatch(owner, 'ship', { all: 'yes' });
  await runSql(db, "UPDATE orders SET events = 'broken' WHERE number = 2");
  await runSql(db, 'UPDATE batches SET started_at = 1');
  await finish();
  expect(await statuses()).toEqual([2, 1, 2]);
  expect(await read(path)).toMatch(/2 of 3 done, 1 skipped.*Skipped: an error of the program/);

  await runSql(db, "UPDATE orders SET events = '' WHERE number = 2");
  const next = await makeBatch(owner, 'ship', { all: 'yes' }, `${ORDERS}?status=1`);
  await runSql(db, 'UPDATE batches SET started_at = 1 WHERE ended_at IS NULL');
  await owner.submit(next.path, `${next.path}/stop`);
  await finish();
  expect([await statuses(), await read(next.path)]).toEqual([
    [2, 1, 2],
    expect.stringContaining('it was stopped'),
  ]);
});

test('slips, pick list and CSV of all that match, and further actions with the same orders', async () => {
  const { owner, order, token, db, statuses, run } = await batching();
  await order(token, { mango: 2, pineapple: 1 });
  await order(token, { mango: 3 });
  await order(token, { mango: 1 });
  await runSql(db, 'UPDATE orders SET status = 1, received_paise = total_paise');
  await runSql(db, "UPDATE order_items SET size = 'L' WHERE order_number = 3");
  const list = `${ORDERS}?status=1`;
  const slips = await makeBatch(owner, 'slips', { all: 'yes' }, list);
  expect(documentOf(slips.text).querySelectorAll('article')).toHaveLength(3);
  const batch = slips.path.replace(/\/slips$/, '');
  // An order that comes later is not in the batch.
  await order(token, { mango: 1 });
  await runSql(db, 'UPDATE orders SET status = 1 WHERE number = 4');
  await run(owner, 'ship', { all: 'yes' }, batch);
  expect(await statuses()).toEqual([2, 2, 2, 1]);

  const picks = await makeBatch(owner, 'picks', { all: 'yes' });
  expect(tableRows(picks.text)).toEqual([
    ['', '6', 'Alphonso Mango, box of 6', '3'],
    ['', '1', expect.stringMatching(/^Alphonso Mango, box of 6\s*L$/), '1'],
    ['', '1', 'Vazhakulam Pineapple', '1'],
  ]);
  await runSql(db, 'UPDATE orders SET status = 4 WHERE number = 1');
  const { text } = await owner.get(picks.path);
  expect([cellsOf(text).slice(0, 3), mainText(text)]).toEqual([
    ['', '4', 'Alphonso Mango, box of 6'],
    expect.stringContaining('Without 1 order that ended since.'),
  ]);
  const csv = await makeBatch(owner, 'csv', { all: 'yes' }, `${ORDERS}?status=2`);
  expect(readCsv(csv.text)).toHaveLength(3);
});

test.each(['customer', 'day'])(
  'cancels all open orders of one %s, after a page that says how many',
  async (of) => {
    const shop = await batching({ paymentProviders: ['cod'] });
    const { owner, statuses, begin } = shop;
    const other = await shop.customer('bina@example.com');
    if (of === 'customer') await shop.order(other.token);
    const ids: string[] = [];
    for (let count = 0; count < 17; count += 1) ids.push(await shop.place());
    await shop.submit(ids[0] ?? '', { method: METHODS.cash });
    shop.pass(9 * HOUR); // the next day in India
    if (of === 'day') await shop.order(other.token);
    const from = `${ORDERS}/${of === 'customer' ? ids[1] : 'search'}`;
    const found =
      of === 'customer'
        ? await owner.get(from)
        : await owner.post(from, new URLSearchParams({ text: '', day: '2026-01-05' }));
    const cancel = `${ORDERS}/batches/cancel`;
    const asked = await owner.post(cancel, filledForm(found.text, cancel));
    const page = asked.location ?? '';
    expectPage(await owner.get(page), 200, 'Cancel: 17 orders?');
    expect(await statuses()).toContain(0);
    // An order that came after the page is not cancelled.
    await shop.place();
    await begin(page);
    expect((await statuses()).toSorted()).toEqual([0, 0, ...Array(17).fill(4)]);
  },
);
