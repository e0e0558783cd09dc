import { expect, it } from 'vitest';
import { documentOf, filledForm, mainText } from '#tests/server/support/admin.ts';
import { cellsOf, ORDERS } from '#tests/server/support/admin-orders.ts';
import { ADDRESS } from '#tests/server/support/api.ts';
import { emailsApi } from '#tests/server/support/emails.ts';

async function shopWithOrder() {
  const api = await emailsApi();
  const packer = await api.staff('packer');
  const { token, email } = await api.customer();
  const { id } = await api.placeOrder(token);
  await api.round();
  api.server.received.length = 0;
  const page = `${ORDERS}/${id}`;
  const path = `${page}/correct`;
  const correct = (fields: Record<string, string>) => packer.submit(path, path, fields);
  const extras = async () => (await api.ordersOf(token))[0]?.extras;
  return { ...api, packer, token, email, id, page, path, correct, extras };
}

it('the staff correct name, phone and note: the slip follows, the customer gets an email, and the log names nobody', async () => {
  const { packer, page, path, correct, round, server, email, ordersOf, token, extras } =
    await shopWithOrder();
  expect((await packer.get(page)).text).toContain(path);
  const changes = { fullName: 'Asha R. Rao', phone: '98200 12345', 'extra-note': 'Ring  twice' };
  expect((await correct(changes)).location).toBe(page);
  const address = { ...ADDRESS, fullName: 'Asha R. Rao', phone: '98200 12345' };
  expect((await ordersOf(token))[0]?.shippingAddress).toEqual(address);
  expect(await extras()).toMatchObject([{ name: 'note' }]);
  const slip = mainText((await packer.get(`${page}/slip`)).text);
  for (const text of ['Asha R. Rao', '98200 12345', 'Note to the courier: Ring'])
    expect(slip).toContain(text);
  await round();
  expect(server.received).toMatchObject([
    { recipients: [email], subject: 'We have corrected your order FF-1001' },
  ]);
  expect(server.received[0]?.text).toContain('Asha R. Rao');
  expect(cellsOf((await packer.get(page)).text)).toContain(
    'corrected: changed Name, Phone, Note to the courier',
  );
  expect((await correct({ 'extra-note': '' })).location).toBe(page);
  expect(await extras()).toBeUndefined();
  await correct({});
  expect((await packer.get(page)).text).toContain('Nothing was changed.');
});

it('a wrong value is said at its field, and nothing is changed', async () => {
  const { correct, round, server, extras } = await shopWithOrder();
  const wrong = await correct({ city: ' ', 'extra-gstin': '27AAPFU0939F1ZW', 'extra-note': 'x'.repeat(201) });
  const errorOf = (name: string) => documentOf(wrong.text).querySelector(`#field-${name}-error`)?.textContent;
  expect([wrong.status, errorOf('city'), errorOf('extra-gstin'), errorOf('extra-note')]).toEqual([
    422,
    'Enter: City',
    'Check the GSTIN, such as 27AAPFU0939F1ZV: a character of it is wrong',
    'Use no more than 200 characters',
  ]);
  await round();
  expect([server.received, await extras()]).toEqual([[], undefined]);
});

it('what another corrected in the meantime is shown, and both corrections can be kept', async () => {
  const { packer, staff, path, correct, ordersOf, token } = await shopWithOrder();
  const mine = filledForm((await packer.get(path)).text, path, { phone: '98200 12345', city: 'Thane' });
  const second = await staff('packer', 'second@example.com');
  await second.submit(path, path, { fullName: 'Meera Rao', city: 'Mumbai' });
  const conflict = await packer.post(path, mine);
  expect(conflict.status).toBe(409);
  expect(cellsOf(conflict.text)).toEqual(['City', 'Thane', 'Mumbai', 'Phone', '98200 12345', ADDRESS.phone]);
  await packer.post(path, filledForm(conflict.text, path));
  expect((await ordersOf(token))[0]?.shippingAddress).toEqual({
    ...ADDRESS,
    fullName: 'Meera Rao',
    city: 'Thane',
    phone: '98200 12345',
  });
  await correct({});
});

it('a shipped order can no longer be corrected, not even by a form that was open', async () => {
  const { packer, page, path, ordersOf, token } = await shopWithOrder();
  const open = filledForm((await packer.get(path)).text, path, { fullName: 'Meera Rao' });
  await packer.submit(page, `${page}/process`);
  await packer.submit(page, `${page}/ship`, { carrier: '', tracking: '' });
  expect((await packer.get(page)).text).not.toContain(path);
  expect([(await packer.get(path)).status, (await packer.post(path, open)).status]).toEqual([409, 409]);
  expect((await ordersOf(token))[0]?.shippingAddress).toEqual(ADDRESS);
});
