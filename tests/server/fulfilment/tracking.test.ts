import * as v from 'valibot';
import { expect, test } from 'vitest';
import { LenientOrderSchema } from '#api/schema/order.ts';
import { CARRIER_KEYS, isCarrierUrl, trackingUrl } from '#domain/carrier.ts';
import { readTrackingFile } from '#server/fulfilment/batches/tracking-file.ts';
import { spreadsheetText } from '#server/http/sent-values.ts';
import { HOUR, MINUTE } from '#server/process/clock.ts';
import { expectPage, filledForm, mainText, readCsv, tableRows } from '#tests/server/support/admin.ts';
import { makeBatch, ORDERS, packing, shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { runSql, valuesOf } from '#tests/server/support/rows.ts';
import { UNLIMITED } from '#tests/support/api.ts';

test('shows the customer the carrier, the tracking number with a link, and the time of each step', async () => {
  const { ask, pass, pay, id, email, press, read } = await shopWithOrder();
  const tracked = async () => {
    const { json } = await ask(`/orders/${id}?${new URLSearchParams({ contactInfo: email })}`);
    return v.parse(LenientOrderSchema, json);
  };
  const placed = await tracked();
  expect([placed.tracking, placed.events.length]).toEqual([undefined, 1]);
  pass(HOUR);
  await pay(id);
  pass(HOUR);
  await press('ship', { carrier: 'delhivery', tracking: 'AB 12/3' });
  const url = 'https://www.delhivery.com/track-v2/package/AB%2012%2F3';
  expect(await tracked()).toMatchObject({
    tracking: { carrier: 'Delhivery', number: 'AB 12/3', url },
    events: [
      { status: 0, at: '2026-01-05T10:00:00.000Z' },
      { status: 1, at: '2026-01-05T11:00:00.000Z' },
      { status: 2, at: '2026-01-05T12:00:00.000Z' },
    ],
  });
  for (const [typed, carrier, link] of [
    ['', '', ''],
    ['Ravi on his scooter', 'Ravi on his scooter', ''],
    ['BlueDart', 'Blue Dart', expect.stringContaining('bluedart.com')],
  ]) {
    await press('tracking', { carrier: typed, tracking: 'XY9' });
    expect((await tracked()).tracking).toEqual({ carrier, number: 'XY9', url: link });
  }
  expect(await read()).toContain('Tracking number: Blue Dart XY9');
  const alone = await press('tracking', { carrier: 'Blue Dart', tracking: '' });
  expectPage(alone, 422, 'Enter the tracking number as well');
  expect((await tracked()).tracking?.carrier).toBe('Blue Dart');
});

test.each([
  ['en', 'Shipping'],
  ['hi', 'डिलीवरी'],
])('an email about an order, in %s, calls its delivery charge %s', async (language, label) => {
  const { db, sendDue, sentTo, email } = await shopWithOrder();
  const amounts = JSON.stringify([{ id: 'delivery', name: 'Shipping', paise: 6_000 }]);
  await runSql(db, 'UPDATE orders SET language = ?, amounts = ?', language, amounts);
  await sendDue();
  expect(sentTo(email).at(-1)?.text).toMatch(new RegExp(`${label}\\W+₹60`));
});

test('an order in two parcels is Shipped with the last, has both on the wire, and an email for each', async () => {
  const shop = await shopWithOrder();
  const { owner, page, press, current, subjects, ask, id, token, number } = shop;
  await shop.pay(id);
  const before = (await subjects()).length;
  const send = async (tracking: string) =>
    owner.post(
      `${page}/parcel`,
      filledForm((await owner.get(page)).text, `${page}/ship`, { carrier: tracking && 'dtdc', tracking }),
    );
  expect((await send('P1')).status).toBe(303);
  expect((await subjects()).slice(before)).toEqual([`A part of your order ${number} is on its way`]);
  expectPage(await send(''), 409, 'has no number for this parcel');
  expectPage(await send('P1'), 409, 'has this parcel already');
  const parcel = (name: string) => ({ carrier: 'DTDC', number: name, url: expect.any(String) });
  expect(await current()).toMatchObject({ status: 1, tracking: parcel('P1'), parcels: [parcel('P1')] });
  expect((await ask(`/orders/${id}/cancel`, { token, json: {} })).status).toBe(409);
  expect(await shop.read()).toContain('A part of it has left.');
  await press('ship', { carrier: 'dtdc', tracking: 'P2' });
  const parcels = [parcel('P1'), parcel('P2')];
  expect(await current()).toMatchObject({ status: 2, tracking: parcel('P2'), parcels });
  shop.pass(2 * MINUTE);
  expect((await subjects()).slice(before + 1)).toEqual([`Your order ${number} is on its way`]);
  const texts = shop.sentTo(shop.email).map(({ text }) => text);
  expect(texts.slice(-2)).toEqual([expect.stringContaining('DTDC P1'), expect.stringContaining('DTDC P2')]);
  await shop.send('take-back', { reason: 'It is still here' });
  expect(await current()).toMatchObject({ status: 1, tracking: parcel('P1'), parcels: [parcel('P1')] });
});

test('the storefront accepts the tracking link of every carrier', () => {
  expect(CARRIER_KEYS.filter((key) => !isCarrierUrl(trackingUrl(key, 'AB/1 &?#')))).toEqual([]);
});

test.each([
  'http://www.delhivery.com/track-v2/package/1',
  'https://www.delhivery.com.evil.example/1',
  'https://evil.example/?https://www.delhivery.com/',
  'javascript:alert(1)',
])('the shop shows no link to %s', (url) => {
  const { tracking } = v.parse(LenientOrderSchema, {
    id: 'a',
    tracking: { carrier: 'Delhivery', number: '1', url },
  });
  expect(tracking).toEqual({ carrier: 'Delhivery', number: '1', url: '' });
});

const ROW = { order: 'FF-1042-7K3Q', phone: '', tracking: '0012345678', carrier: '' };

test.each([
  ['commas', 'Order,AWB\nFF-1042-7K3Q,0012345678'],
  ['semicolons and CR LF', 'Order No.;AWB No.;Name, City\r\nFF-1042-7K3Q;0012345678;Rao, Pune\r\n'],
  ['a mark and tabs', '\uFEFFORDER ID\tWaybill Number\nFF-1042-7K3Q\t0012345678'],
  ['bars', 'Channel Order ID|Tracking Code|Tracking URL\nFF-1042-7K3Q|0012345678|https://x.example'],
  ['the line of Excel', 'sep=;\r\nTracking ID;Order #\r\n0012345678;FF-1042-7K3Q'],
  [
    'a title above',
    'Manifest of 7 November\n\nS.No,Order Date,Order Number,Consignment\n1,7/11,FF-1042-7K3Q,0012345678',
  ],
  ['formulas of a spreadsheet', 'Order,Docket No\n"=""FF-1042-7K3Q""","=""0012345678"""'],
  ['bare formulas', 'Order,AWB\nFF-1042-7K3Q,="0012345678"'],
  ['apostrophes and blanks', "Order,AWB\n'FF-1042-7K3Q ,' 00 1234 5678 "],
  ['Hindi', 'ऑर्डर नंबर,ट्रैकिंग नंबर\nFF-1042-7K3Q,००१२३४५६७८'],
  ['the words of programs', 'orderNo,awbNumber,OrderStatus\nFF-1042-7K3Q,0012345678,x'],
  ['a number beside an order', 'Order,Number,Courier\nFF-1042-7K3Q,0012345678'],
  ['no headings', 'FF-1042-7K3Q\t0012345678'],
  ['no headings, from a chat', 'FF-1042-7K3Q 0012345678\n'],
])('reads rows with %s', async (_, text) => {
  expect((await readTrackingFile(text)).at(-1)).toMatchObject(ROW);
});

test('reads references, phones and carriers by what their columns are called', async () => {
  const heads = 'Cust. Ref No,Pickup Phone,Consignee Mobile,Courier AWB,Courier Name,Order Amount';
  const [row] = await readTrackingFile(`${heads}\nFF-1042.0,1,9876543210.0,7.0,Blue  Dart,5`);
  expect(row).toMatchObject({ order: '', reference: 'FF-1042.0', phone: '9876543210', carrier: 'bluedart' });
  const shop = 'Number,Order,Phone,Tracking number,Carrier\n1,2,3,4,5';
  expect(await readTrackingFile(shop)).toMatchObject([
    { order: '2', phone: '3', tracking: '4', carrier: '5' },
  ]);
  await expect(readTrackingFile('Name,City\nRao,Pune')).rejects.toThrow('Its first line is: Name, City');
  await expect(readTrackingFile('Order,City\nFF-1042,Pune')).rejects.toThrow('It needs a column');
  const long = `Order,AWB\n${'FF-1042,1\n'.repeat(1_001)}`;
  await expect(readTrackingFile(long)).rejects.toThrow('more than 1000 numbers');
});

test('reads the encodings of spreadsheets, and no workbook', () => {
  const text = 'Überweisung ₹';
  const wide = Buffer.from(`\uFEFF${text}`, 'utf16le');
  expect(spreadsheetText(new Uint8Array(Buffer.from(text)))).toBe(text);
  expect(spreadsheetText(new Uint8Array(wide))).toBe(text);
  expect(spreadsheetText(new Uint8Array(wide.swap16()))).toBe(text);
  expect(spreadsheetText(new Uint8Array([0xdc, 0x62, 0x80]))).toBe('Üb€');
  expect(spreadsheetText(new Uint8Array(Buffer.from('PK\u0003\u0004\0')))).toBeUndefined();
});

/** A shop whose packer sends tracking numbers. */
async function numbering(...given: Parameters<typeof packing>) {
  const shop = await packing(...given);
  const { packer, db } = shop;
  const page = `${ORDERS}/batches/numbers`;
  /** Sends rows. Returns the page that says what would happen. */
  const send = async (rows: string, fields: Record<string, string> = {}) => {
    const answer = await packer.submit(page, page, { rows, ...fields });
    const path = answer.location ?? '';
    return { path, ...(path ? await packer.get(path) : answer) };
  };
  /** Places orders that are paid. Returns their numbers. */
  const paid = async (...phones: string[]) => {
    for (const phone of phones) await shop.pay(await shop.place({ phone }));
    return valuesOf(
      db,
      "SELECT 'FF-' || (number + 1000) || '-' || suffix FROM orders ORDER BY number",
    ) as Promise<string[]>;
  };
  const numbers = () => valuesOf(db, 'SELECT tracking FROM orders ORDER BY number');
  const start = async (path: string) => {
    await packer.submit(path, `${path}/start`);
    await shop.finish();
  };
  const emails = async () => {
    shop.pass(2 * MINUTE);
    await shop.sendDue();
    return shop
      .sentTo(shop.email)
      .map(({ subject = '' }) => subject)
      .filter((subject) => /on its way|tracking/.test(subject));
  };
  return { ...shop, page, send, paid, numbers, start, emails };
}

const A = '+919876543210';
const B = '+919820112345';

test('ships the orders of a file with their numbers, one email each, and says why a line is not used', async () => {
  const { send, paid, statuses, numbers, start, emails, db, place, packer } = await numbering(UNLIMITED);
  await paid(A, B, A, A, '+919811111111', '+919822222222');
  await place();
  const [one, two, three = '', four, five, six, seven] = await paid();
  await runSql(db, "UPDATE orders SET status = 2, tracking = 'OLD 1' WHERE number = 5");
  await runSql(db, 'UPDATE orders SET status = 4 WHERE number = 6');
  const rows = [
    `${one},,AW1,Delhivery`,
    ',098201 12345,AW2,',
    `${three.slice(0, 7)},,AW3,`,
    `${three},,AW33,`,
    ',98765 43210,AW4,',
    `${five},,AW5,`,
    `${five},,AW5,`,
    `${six},,AW6,`,
    `${seven},,AW7,`,
    'FF-9999,,AW8,',
    'FF-1004-0000,,AW9,',
    `${four},,1.23E+11,`,
    `${four},,N/A,`,
    `${four},,${four},`,
    `"${four}, FF-8888",,2-Jan,`,
    `${four},,,`,
    ',12345,AW10,',
  ];
  const { path, text } = await send(`Order,Phone,AWB,Courier\n${rows.join('\n')}`, { carrier: 'DTDC' });
  expect(mainText(text)).toContain('Mark as shipped: 2 orders?');
  expect(mainText(text)).toContain('2 emails go out');
  expect(
    tableRows(text).map((cells) => cells.filter((_, place) => cells.length === 2 || place !== 1)),
  ).toEqual([
    ['4', expect.stringContaining(`${three} is in the file twice, with AW3 and, in line 5, with AW33`)],
    ['6', expect.stringContaining('Several orders of 98765 43210 are open')],
    ['11', 'There is no order FF-9999.'],
    ['12', 'There is no order FF-1004-0000.'],
    ['13', expect.stringContaining('cut digits of 1.23E+11')],
    ['14', '“N/A” is no tracking number.'],
    ['15', `${four} is the number of the order, not of its parcel.`],
    ['16', '“2-Jan” is no tracking number.'],
    ['17', '1 line without a tracking number.'],
    ['18', '“12345” names no order.'],
    [five, 'DTDC AW5', 'Nothing: it was shipped with the number OLD 1'],
    [six, 'DTDC AW6', 'Nothing: it is Cancelled'],
    [seven, 'DTDC AW7', 'Nothing: it is Pending'],
    [one, 'Delhivery AW1', 'Shipped'],
    [two, 'DTDC AW2', 'Shipped'],
  ]);
  expect(await statuses()).toEqual([1, 1, 1, 1, 2, 4, 0]);
  await start(path);
  expect(await statuses()).toEqual([2, 2, 1, 1, 2, 4, 0]);
  expect(await numbers()).toEqual(['AW1', 'AW2', null, null, 'OLD 1', null, null]);
  expect(mainText((await packer.get(path)).text)).toContain('2 of 5 done, 3 skipped');
  expect(await emails()).toHaveLength(2);
  // The same file again changes nothing, and the phone number still means the same order.
  const again = await send('Phone,AWB\n098201 12345,AW2');
  expect(mainText(again.text)).toMatch(/Mark as shipped: 0 orders\?.*it has this number already/);
  expect(await emails()).toHaveLength(2);
});

test('numbers that come after the shipping get a short email of their own, once', async () => {
  const { send, paid, owner, numbers, start, finish, emails } = await numbering(UNLIMITED);
  const [one, two] = await paid(A, B);
  const { path } = await makeBatch(owner, 'ship', { all: 'yes' });
  await owner.submit(path, `${path}/start`);
  await finish();
  const first = await send(`${one} AW1`);
  expect(mainText(first.text)).toContain('Gets the number');
  await start(first.path);
  expect(await emails()).toEqual([
    expect.stringContaining('on its way'),
    expect.stringContaining('on its way'),
  ]);
  const second = await send(`${one} AW1\n${two} AW2`);
  await start(second.path);
  expect([await numbers(), (await emails()).slice(2)]).toEqual([
    ['AW1', 'AW2'],
    [expect.stringContaining('The tracking number of your order')],
  ]);
});

test('takes the shop’s own CSV with the numbers filled in, and refuses what it cannot read', async () => {
  const { owner, packer, page, send, paid, start, numbers } = await numbering();
  await paid(A, B);
  const [heads = [], ...rows] = readCsv((await makeBatch(owner, 'csv', { all: 'yes' })).text);
  /** As Excel saves CSV where numbers have a decimal comma. */
  const filled = (number: (row: number) => string) =>
    [heads, ...rows.map((row, index) => row.with(heads.indexOf('Tracking number'), number(index)))]
      .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'))
      .join('\r\n');
  const twice = await send(filled(() => '="0012"'));
  expect(mainText(twice.text)).toContain('0012 is also the number of order');
  const { path } = await send(filled((row) => `="001${row}"`));
  await start(path);
  expect(await numbers()).toEqual(['0010', '0011']);
  const both = await send('Order,AWB,Status\nFF-1001 & FF-1002,0010,\nFF-1002,0099,RTO');
  expect(mainText(both.text)).toMatch(/also the number of order.*The file says: RTO/);
  expectPage(await send('Name,City\nRao,Pune'), 422, 'It needs a column');
  expectPage(await send(''), 422, 'Choose a file, or paste its rows');
  const form = new FormData();
  for (const [name, value] of filledForm((await packer.get(page)).text, page)) form.append(name, value);
  form.set('file', new File(['PK\u0003\u0004\0'], 'numbers.xlsx'));
  expectPage(await packer.post(page, form), 422, 'an Excel workbook');
});
