import { expect, it } from 'vitest';
import { documentOf, filledForm } from '#tests/server/support/admin.ts';
import { cellsOf, shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { ADDRESS } from '#tests/server/support/api.ts';

async function orderToCorrect() {
  const shop = await shopWithOrder();
  await shop.sendDue();
  shop.server.received.length = 0;
  const path = `${shop.page}/correct`;
  const correct = (fields: Record<string, string>) => shop.owner.submit(path, path, fields);
  const address = async () => (await shop.current()).shippingAddress;
  const extras = async () => (await shop.current()).extras;
  return { ...shop, path, correct, address, extras };
}

it('the staff correct name, phone and note: the slip follows, the customer gets an email, and the log names nobody', async () => {
  const { owner, page, number, path, correct, sendDue, server, email, address, read, extras } =
    await orderToCorrect();
  expect((await owner.get(page)).text).toContain(path);
  const changes = { fullName: 'Asha R. Rao', phone: '98200 12345', 'extra-note': 'Ring  twice' };
  expect((await correct(changes)).location).toBe(page);
  expect(await address()).toEqual({ ...ADDRESS, fullName: 'Asha R. Rao', phone: '98200 12345' });
  expect(await extras()).toMatchObject([{ name: 'note' }]);
  expect(await read(`${page}/slip`)).toMatch(/Asha R\. Rao.*98200 12345.*Note to the courier: Ring/);
  await sendDue();
  const [subject, text] = [`We have corrected your order ${number}`, expect.stringContaining('Asha R. Rao')];
  expect(server.received).toMatchObject([{ recipients: [email], subject, text }]);
  expect(cellsOf((await owner.get(page)).text)).toContain(
    'corrected: changed Name, Phone, Note to the courier',
  );
  expect((await correct({ 'extra-note': '' })).location).toBe(page);
  expect(await extras()).toBeUndefined();
  await correct({});
  expect((await owner.get(page)).text).toContain('Nothing was changed.');
});

it('a wrong value is said at its field, and nothing is changed', async () => {
  const { correct, sendDue, server, extras } = await orderToCorrect();
  const wrong = await correct({ city: ' ', 'extra-gstin': '27AAPFU0939F1ZW', 'extra-note': 'x'.repeat(201) });
  const errorOf = (name: string) => documentOf(wrong.text).querySelector(`#field-${name}-error`)?.textContent;
  expect([wrong.status, errorOf('city'), errorOf('extra-gstin'), errorOf('extra-note')]).toEqual([
    422,
    'Enter: City',
    'Check the GSTIN, such as 27AAPFU0939F1ZV: a character of it is wrong',
    'Use no more than 200 characters',
  ]);
  await sendDue();
  expect([server.received, await extras()]).toEqual([[], undefined]);
});

it('a shipped order can no longer be corrected, not even by a form that was open', async () => {
  const { id, pay, owner, page, path, press, address } = await orderToCorrect();
  const open = filledForm((await owner.get(path)).text, path, { fullName: 'Meera Rao' });
  await pay(id);
  await press('ship');
  expect((await owner.get(page)).text).not.toContain(path);
  expect([(await owner.get(path)).status, (await owner.post(path, open)).status]).toEqual([409, 409]);
  expect(await address()).toEqual(ADDRESS);
});
