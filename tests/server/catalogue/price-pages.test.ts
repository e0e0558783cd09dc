import { expect, test } from 'vitest';
import { formatRupees } from '#domain/money.ts';
import { requireProduct } from '#server/catalogue/stored-products.ts';
import {
  adminApi,
  documentOf,
  expectPage,
  filledForm,
  mainText,
  readCsv,
  tableRows,
} from '#tests/server/support/admin.ts';
import { MANGO, PINEAPPLE } from '#tests/server/support/api.ts';
import { rowsOf } from '#tests/server/support/rows.ts';

const PRICES = '/admin/catalogue/prices';
const SET = `${PRICES}/set`;
const HEAD = 'id,regular price,sale price\n';

async function priceAdmin() {
  const api = await adminApi();
  const editor = await api.staff('editor');
  const prices = async (id: string) => {
    const { regularPrice, discountedPrice } = (await requireProduct(api.db, id)).product;
    return [regularPrice, discountedPrice];
  };
  const log = () =>
    rowsOf(
      api.db,
      "SELECT target_id AS id, to_json AS to_json FROM admin_log WHERE action = 'changed the price' ORDER BY target_id",
    );
  const show = (file: BlobPart) => editor.upload(PRICES, new File([file], 'prices.csv'));
  return { ...api, editor, prices, log, show };
}

test('changes nothing when the downloaded prices are uploaded unchanged', async () => {
  const { editor, show } = await priceAdmin();
  const { text, headers } = await editor.get(`${PRICES}.csv`);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename="prices.csv"');
  const [heads = [], ...rows] = readCsv(text);
  const prices = ['id', 'title', 'regular price', 'sale price', 'sale from', 'sale until'];
  expect(heads).toEqual([...prices, 'stock', 'stock when downloaded', 'download']);
  const code = expect.stringMatching(/^d\w{8}$/);
  expect(rows.slice(0, 2)).toEqual([
    [MANGO, 'Alphonso Mango, box of 6', '1099', '899', '', '', '', '', code],
    [PINEAPPLE, 'Vazhakulam Pineapple', '99.50', '', '', '', '', '', code],
  ]);
  expect(mainText((await show(text)).text)).toContain('No price or stock in the file differs');
});

test('shows each change with its difference, and then makes exactly these', async () => {
  const { editor, show, prices, log } = await priceAdmin();
  const shown = await show(`\uFEFF${HEAD}${MANGO},"1,299",999\n${PINEAPPLE},${formatRupees(109.5)},\n`);
  expect(shown.status).toBe(200);
  expect(tableRows(shown.text)).toEqual([
    [
      'Alphonso Mango, box of 6',
      `${formatRupees(899)} Regular price ${formatRupees(1_099)}`,
      `${formatRupees(999)} Regular price ${formatRupees(1_299)}`,
      `+${formatRupees(100)} (+11.1%)`,
    ],
    ['Vazhakulam Pineapple', formatRupees(99.5), formatRupees(109.5), `+${formatRupees(10)} (+10.1%)`],
  ]);
  expect(await prices(MANGO)).toEqual([1_099, 899]);
  const done = await editor.post(SET, filledForm(shown.text, SET));
  expect([done.status, done.location]).toEqual([303, '/admin/catalogue']);
  expect([await prices(MANGO), await prices(PINEAPPLE)]).toEqual([
    [1_299, 999],
    [109.5, null],
  ]);
  expect(await log()).toHaveLength(2);
  expect((await editor.post(SET, filledForm(shown.text, SET))).status).toBe(303);
  expect(await log()).toHaveLength(2);
});

test('asks for a tick for changes of more than 30 %, which are listed first', async () => {
  const { editor, show, prices } = await priceAdmin();
  const shown = await show(`${HEAD}${MANGO},1099,890\n${PINEAPPLE},9.95,\n`);
  const cells = [formatRupees(99.5), formatRupees(9.95), `−${formatRupees(89.55)} (−90%)`];
  expect(tableRows(shown.text)[0]).toEqual(['Vazhakulam Pineapple', ...cells]);
  const unticked = await editor.post(SET, filledForm(shown.text, SET));
  expect([unticked.status, await prices(PINEAPPLE)]).toEqual([422, [99.5, null]]);
  const ticked = await editor.post(SET, filledForm(unticked.text, SET, { sure: 'on' }));
  expect([ticked.status, await prices(PINEAPPLE)]).toEqual([303, [9.95, null]]);
});

test('compares what customers pay, now and when a planned sale begins, not a sale that is over', async () => {
  const { editor, show, changeProduct } = await priceAdmin();
  // It is 5 January 2026.
  await changeProduct(MANGO, { discountedPrice: 100, saleUntil: '2026-01-01T00:00+05:30' });
  await changeProduct(PINEAPPLE, { discountedPrice: 10, saleFrom: '2026-02-01T00:00+05:30' });
  const row = async (line: string) => {
    const { text } = await show(`id,regular price,sale price,sale from,sale until\n${line}\n`);
    return [...(tableRows(text)[0] ?? []).slice(1), mainText(text).includes('more than 30 %')];
  };
  const over = [formatRupees(1_099), formatRupees(1_200), `+${formatRupees(101)} (+9.2%)`, false];
  expect(await row(`${MANGO},1200,,,`)).toEqual(over);
  const kept = ['₹99.50, then ₹10 from 1 Feb 2026, 12:00 am', '₹100, then ₹10 from 1 Feb 2026, 12:00 am'];
  expect(await row(`${PINEAPPLE},100,10,2026-02-01 00:00,`)).toEqual([...kept, '+₹0.50 (+0.5%)', false]);
  const [, , difference, isWarned] = await row(`${MANGO},1099,99,2026-03-01 00:00,2026-03-02 00:00`);
  expect([difference, isWarned]).toEqual([expect.stringMatching(/^−₹1,000 \(−91%\) from 1 Mar/), true]);
  const product = `/admin/catalogue/products/${MANGO}`;
  const preview = await editor.submit(product, product, { do: 'preview' });
  const shown = documentOf(preview.text).querySelector('[aria-labelledby=preview] .price');
  expect(shown?.textContent).toBe(formatRupees(1_099));
});

test('names invalid lines with number and reason, and changes nothing', async () => {
  const { show, prices } = await priceAdmin();
  const text = [
    'title;id;regular price;sale price',
    `"a\nb";${MANGO};1000;`,
    'x;none;5;',
    `x;${PINEAPPLE};12,50;`,
    `x;${MANGO};900;`,
    'x;banana;50;60',
    'x;papaya;1.005;',
  ].join('\r\n');
  const answer = await show(text);
  expect(answer.status).toBe(422);
  expect(tableRows(answer.text)).toEqual([
    ['4', 'none', 'There is no product with this id.'],
    ['5', PINEAPPLE, 'The regular price must be an amount in rupees, such as 1,299 or 129.50.'],
    ['6', MANGO, 'The id is in the file twice.'],
    ['7', 'banana', 'The sale price must be below the regular price, or empty.'],
    ['8', 'papaya', 'The regular price must be an amount in rupees, such as 1,299 or 129.50.'],
  ]);
  expect(await prices(MANGO)).toEqual([1_099, 899]);
  expect(mainText((await show('id;price\nmango;1')).text)).toContain(
    'must name the columns id, regular price and sale price',
  );
  expect(mainText((await show('')).text)).toContain('Choose a file');
  const utf16 = await show(new Uint8Array([0xff, 0xfe, 0x69, 0x00]));
  expectPage(utf16, 422, 'not UTF-8 text');
});

test('does not overwrite a price that another staff member changed meanwhile', async () => {
  const { editor, show, prices, changeProduct } = await priceAdmin();
  const shown = await show(`${HEAD}${MANGO},1099,850\n${PINEAPPLE},100,\n`);
  await changeProduct(MANGO, { regularPrice: 1_500, discountedPrice: null });
  const again = await editor.post(SET, filledForm(shown.text, SET));
  expectPage(again, 409, 'Another staff member saved it');
  expect(tableRows(again.text)[0]?.[1]).toBe(formatRupees(1_500));
  expect(await prices(MANGO)).toEqual([1_500, null]);
  expect((await editor.post(SET, filledForm(again.text, SET, { sure: 'on' }))).status).toBe(303);
  expect(await prices(MANGO)).toEqual([1_099, 850]);
});
