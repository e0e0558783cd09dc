import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { EXPORT_COLUMNS } from '#scripts/api/orders/office/export-pages.ts';
import { AddressSchema } from '#scripts/api/orders/schema.ts';
import { ADDRESS, MANGO } from '#tests/api/support/api.ts';
import { hostileTexts } from '#tests/api/support/hostile.ts';
import { readCsv } from '#tests/api/support/office.ts';
import { ORDERS, packing } from '#tests/api/support/office-orders.ts';

/** So many strings that every order gets seven of them: six in its address, one as a title. */
const ORDER_COUNT = 1_430;

/** An address that the API lets in. What it refuses, such as line breaks, is replaced. */
function addressOf(texts: readonly string[]) {
  const address: Record<string, string> = { ...ADDRESS };
  for (const [index, field] of SHIPPING_FIELDS.entries()) {
    const parsed = v.safeParse(AddressSchema, { ...ADDRESS, [field]: texts[index] });
    if (parsed.success) address[field] = parsed.output[field];
    else address[field] = `'${index}=`;
  }
  return v.parse(AddressSchema, address);
}

/** The texts and elements of a page. */
function read(html: string) {
  let text = '';
  const elements = new Set<string>();
  const attributes = new Set<string>();
  const parser = new Parser({
    onopentag(name, given) {
      elements.add(name);
      for (const attribute of Object.keys(given)) attributes.add(attribute);
    },
    ontext(part) {
      text += part;
    },
  });
  parser.end(html);
  return { text, elements, attributes };
}

/** What no page of orders has by itself, but the attacks would add. */
const FOREIGN = ['svg', 'iframe', 'math', 'template', 'base', 'style', 'object', 'details', 'mtext'];

function expectOnlyText(html: string, texts: readonly string[]): void {
  const { text, elements, attributes } = read(html);
  for (const name of FOREIGN) expect(elements.has(name), name).toBe(false);
  for (const name of attributes) expect(name).not.toMatch(/^on|^srcdoc$|^style$/);
  for (const one of texts)
    if (!text.includes(one)) expect.fail(`The page does not show ${JSON.stringify(one)}.`);
}

test('[fault 103] 10,000 hostile strings in orders are text in list, order, slip and CSV, and no formula', async () => {
  const { db, packer, owner, order, token } = await packing();
  await order(token, { [MANGO]: 1 });
  const strings = fc.sample(hostileTexts, { numRuns: ORDER_COUNT * 7, seed: 103 });
  const written = Array.from({ length: ORDER_COUNT }, (_, index) => {
    const texts = strings.slice(index * 7, index * 7 + 7);
    const title = (texts[6] ?? '').replaceAll('\0', '').toWellFormed();
    return { id: `order-${index}`, title, tracking: title.slice(0, 60), address: addressOf(texts) };
  });
  await db.write(async (transaction) => {
    for (const { id, title, tracking, address } of written) {
      await transaction.run(
        `INSERT INTO orders (id, user_id, status, created_at, total_paise, address, tracking, courier_note)
         SELECT ?, user_id, 1, created_at, total_paise, ?, ?, ? FROM orders ORDER BY number LIMIT 1`,
        id,
        JSON.stringify(address),
        tracking.toWellFormed(),
        title,
      );
      await transaction.run(
        `INSERT INTO order_items (order_number, position, product_id, title, quantity, unit_paise)
         SELECT number, 0, ?, ?, 1, 89900 FROM orders WHERE id = ?`,
        MANGO,
        title,
        id,
      );
    }
  });

  let path: string | undefined = `${ORDERS}?status=1`;
  for (const listed = [...written].reverse(); listed.length > 0; ) {
    const { text }: { text: string } = await packer.get(path ?? ORDERS);
    const page = listed.splice(0, 15);
    expectOnlyText(
      text,
      page.flatMap(({ address }) => [address.fullName, address.city]),
    );
    path = /href="([^"]*older=\d+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    const slips = new URLSearchParams(page.map(({ id }) => ['order', id]));
    const printed = (await packer.post(`${ORDERS}/slips`, slips)).text;
    expectOnlyText(
      printed,
      page.flatMap(({ address, title }) => [address.fullName, address.address, address.phone, title]),
    );
  }
  for (const { id, address, title } of written) {
    const { text } = await packer.get(`${ORDERS}/${id}`);
    expectOnlyText(text, [...Object.values(address).filter((one) => one !== address.state), title]);
    expect(/href="tel:([^"]*)"/.exec(text)?.[1]).toMatch(/^[\d+]*$/);
  }

  const { text } = await owner.submit(`${ORDERS}/export`, `${ORDERS}/export`, { status: '1' });
  const rows = readCsv(text);
  expect(rows).toHaveLength(1 + ORDER_COUNT);
  const [heads = []] = rows;
  expect(heads).toEqual(Object.keys(EXPORT_COLUMNS));
  for (const [index, row] of rows.slice(1).entries()) {
    const { id, address } = written[index] ?? {};
    const cell = (head: string) => row[heads.indexOf(head)]?.replace(/^'/, '');
    expect(row).toHaveLength(heads.length);
    expect(cell('Order')).toBe(id);
    expect(['Name', 'Address', 'City', 'State', 'PIN code', 'Phone'].map(cell)).toEqual(
      Object.values(address ?? {}).map((one) => one.replace(/^'/, '')),
    );
    for (const text of row) expect(text).not.toMatch(/^[\s]*[=+\-@＝＋－＠]|^[\t\r]/);
  }
});
