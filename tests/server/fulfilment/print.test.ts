import { expect, test } from 'vitest';
import * as CURRENCY from '#domain/currency.ts';
import { plainAmount } from '#domain/money.ts';
import { readChanges } from '#server/admin/change-log.ts';
import { extrasFor } from '#server/orders/order-extras.ts';
import { documentOf, expectPage, mainText, readCsv } from '#tests/server/support/admin.ts';
import {
  cellsOf,
  idsOn,
  makeBatch,
  ORDERS,
  packing,
  shopWithOrder,
} from '#tests/server/support/admin-orders.ts';
import { ORDER_TOTAL } from '#tests/server/support/api.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { firstValue, runSql } from '#tests/server/support/rows.ts';

test('a packing slip shows address and items with checkboxes, and no price', async () => {
  const { packer, page: path, number, token, order } = await shopWithOrder();
  const { text } = await packer.get(`${path}/slip`);
  const page = documentOf(text);
  expect(page.querySelector('h1')?.textContent).toBe(`Order ${number}`);
  expect(mainText(text)).toContain('Asha Rao 12 MG Road Pune, Maharashtra 411001 +91 98765 43210');
  expect(cellsOf(text)).toEqual(['', '2', 'Alphonso Mango, box of 6']);
  expect(text).not.toContain(CURRENCY.symbol);
  expect(page.querySelector('header')).toBeNull();
  for (const asset of ['link[rel=stylesheet]', 'script']) {
    const element = page.querySelector(asset);
    const answer = await packer.get(element?.getAttribute('href') ?? element?.getAttribute('src') ?? '');
    expect(answer.status).toBe(200);
  }

  await order(token, { mango: 1, pineapple: 3 });
  const list = (await packer.get(ORDERS)).text;
  const several = await makeBatch(packer, 'slips', { order: idsOn(list) });
  expect(documentOf(several.text).querySelectorAll('article')).toHaveLength(2);
  expectPage(await makeBatch(packer, 'slips'), 422, 'No order was ticked');
});

test('the CSV has a line for each order of the chosen days and status, in India’s time', async () => {
  const { owner, place, pass, pay } = await packing();
  const first = await place({ address: '12, "Rose Villa"\u00a0MG Road' });
  pass(9 * 60 * 60 * 1_000); // the next day in India
  const second = await place();
  await pay(second);
  const csv = async (fields: Record<string, string>) => {
    const answer = await owner.submit(`${ORDERS}/export`, `${ORDERS}/export`, fields);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    return { rows: readCsv(answer.text), name: answer.headers.get('content-disposition') };
  };
  const extras = extrasFor('accountant');
  const all = await csv({});
  expect(all.name).toBe('attachment; filename="orders.csv"');
  expect(all.rows).toEqual([
    [
      ...'Number,Order,Placed (India),Status,Name,Address,City,State,PIN code,Phone,Email'.split(','),
      ...'Items,Pieces,Total in rupees,Payment,Payment method,Tracking number,Carrier'.split(','),
      ...extras.map(({ label }) => label.en),
    ],
    [
      ...[
        expect.stringMatching(/^FF-1001-\w{4}$/),
        first,
        '2026-01-05 15:30',
        'Pending',
        'Asha Rao',
        '12, "Rose Villa" MG Road',
        'Pune',
      ],
      ...['Maharashtra', '411001', "'+91 98765 43210", 'asha@example.com', '2 × Alphonso Mango, box of 6'],
      ...['2', plainAmount(ORDER_TOTAL), 'Unpaid', '', '', '', ...extras.map(() => '')],
    ],
    expect.arrayContaining([second, '2026-01-06 00:30', 'Processing', 'Paid', 'UPI QR']),
  ]);
  const orders = async (fields: Record<string, string>) =>
    (await csv(fields)).rows.slice(1).map(([, order]) => order);
  expect(await orders({ status: '1' })).toEqual([second]);
  expect(await orders({ to: '2026-01-05' })).toEqual([first]);
  expect(await orders({ from: '2026-01-06', to: '2026-01-06' })).toEqual([second]);
  expect((await csv({ status: '1', from: '2026-01-06' })).name).toContain('orders-processing-2026-01-06.csv');
  const backwards = { from: '2026-01-06', to: '2026-01-05' };
  const wrong = await owner.submit(`${ORDERS}/export`, `${ORDERS}/export`, backwards);
  expect(wrong.status).toBe(422);
  const error = documentOf(wrong.text).querySelector('#field-to-error');
  expect(error?.textContent).toBe('To, including that day must not be before the first day');
});

test('the CSV for the accountant has a line for each item, with what belongs to the order in the first', async () => {
  const { id, number, owner, submit, report, place } = await shopWithOrder({}, { mango: 2, pineapple: 1 });
  const fields = { method: METHODS.qr, business: 'true', gstin: '27AAPFU0939F1ZV' };
  const { text } = await submit(id, fields);
  await report(/tr=(FF[\dA-F]+)/.exec(text)?.[1] ?? '', { amount: '1897.50' });
  await place();
  const answer = await owner.submit(`${ORDERS}/export`, `${ORDERS}/export`, { lines: 'items' });
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="items.csv"');
  const [heads = [], ...lines] = readCsv(answer.text);
  const rows = lines.map((cells) => Object.fromEntries(heads.map((head, index) => [head, cells[index]])));
  const common = { Number: number, 'Placed (India)': '2026-01-05 15:30', GSTIN: '27AAPFU0939F1ZV' };
  expect(rows).toMatchObject([
    {
      ...common,
      Title: 'Alphonso Mango, box of 6',
      Quantity: '2',
      'Unit price in rupees': '899.00',
      'Sum in rupees': '1798.00',
      'Delivery in rupees': '0.00',
      'Total of the order in rupees': '1897.50',
      Payment: 'Paid',
      'Payment method': 'UPI QR',
      'Refunded in rupees': '0.00',
    },
    {
      ...common,
      Title: 'Vazhakulam Pineapple',
      'Sum in rupees': '99.50',
      'Total of the order in rupees': '',
      'Refunded in rupees': '',
    },
    { Number: expect.stringMatching('FF-1002'), Payment: 'Unpaid', 'Payment method': '', GSTIN: '' },
  ]);
});

test('a paid order that asked for a GST invoice is a task until its number is noted', async () => {
  const { id, db, owner, submit, report, press, send, read } = await shopWithOrder();
  const { text } = await submit(id, { method: METHODS.qr, business: 'true', gstin: '27AAPFU0939F1ZV' });
  expect(await read('/admin')).not.toContain('GST invoice');
  await report(/tr=(FF[\dA-F]+)/.exec(text)?.[1] ?? '');
  expect(await read('/admin')).toContain('1 paid order without the GST invoice that was asked for');
  expect(idsOn((await owner.get(`${ORDERS}?invoice=missing`)).text)).toEqual([id]);
  expectPage(await send('invoice', { day: '2026-01-06', number: 'INV-7' }), 422, 'Day has not come yet');
  await send('invoice', { number: 'INV-7', day: '2026-01-05' });
  expect(await read()).toContain('GST invoice: INV-7, sent on 2026-01-05');
  expect(await read('/admin')).not.toContain('GST invoice');
  await press('ship', { tracking: 'AWB123456' });
  await runSql(db, "UPDATE movements SET external_id = '408712345678'");
  await runSql(db, "UPDATE payment_attempts SET bank_reference = '512345678901'");
  const reference = String(await firstValue(db, 'SELECT reference FROM payment_attempts'));
  for (const words of [`I have paid, ${reference}`, 'UTR: 4087 1234 5678', 'UTR512345678901', 'awb123456']) {
    const found = await owner.submit(ORDERS, `${ORDERS}/search`, { text: words });
    expect([words, idsOn(found.text)]).toEqual([words, [id]]);
  }
});

test('the CSV has every order once, although it is read in batches', async () => {
  const { id, db, owner } = await shopWithOrder();
  await db.write(async (transaction) => {
    for (let count = 0; count < 450; count += 1) {
      await runSql(
        transaction,
        `INSERT INTO orders (id, customer_id, status, created_at, total_paise, amounts, address, recipient, phone, postal_code, suffix)
         SELECT ?, customer_id, status, created_at, total_paise, amounts, address, '', '', '', suffix FROM orders WHERE id = ?`,
        `order ${count}`,
        id,
      );
    }
    await runSql(
      transaction,
      `INSERT INTO order_items (order_number, position, product_id, title, quantity, unit_paise)
       SELECT number, position, product_id, title, quantity, unit_paise FROM order_items, orders
       WHERE number <> order_number`,
    );
  });
  const answer = await owner.submit(`${ORDERS}/export`, `${ORDERS}/export`);
  expect([...answer.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const found = readCsv(answer.text)
    .slice(1)
    .map(([, order]) => order);
  expect(found).toEqual([id, ...Array.from({ length: 450 }, (_, count) => `order ${count}`)]);
});

test('each download of the CSV is logged with its filter and count', async () => {
  const { owner, db } = await shopWithOrder();
  await owner.submit(`${ORDERS}/export`, `${ORDERS}/export`, { status: '0', from: '2026-01-01' });
  const lines = await readChanges(db, { who: owner.email, type: 'orders', id: '' }, 10, 0);
  expect(lines.map(({ action, to }) => [action, to])).toEqual([
    ['downloaded', { status: 'Pending', from: '2026-01-01', to: 'the last', orders: 1 }],
  ]);
});
