import { expect, test } from 'vitest';
import { formatPaise, plainAmount } from '#domain/money.ts';
import { reconcile } from '#scripts/api/payments/reconcile.ts';
import { waysOf } from '#scripts/api/payments/ways.ts';
import { ORDER_TOTAL } from '#tests/api/support/api.ts';
import { documentOf, filledForm, mainText } from '#tests/api/support/office.ts';
import { cellsOf, ORDERS, packing } from '#tests/api/support/office-orders.ts';
import { startCashfree } from '#tests/support/providers/cashfree.ts';

const all = formatPaise(ORDER_TOTAL);
const half = formatPaise(ORDER_TOTAL / 2);

async function paidOrder() {
  const shop = await packing();
  const id = await shop.place();
  const reference = await shop.pay(id);
  return { ...shop, id, path: `${ORDERS}/money/${reference}/refund`, order: `${ORDERS}/${id}` };
}

test('an owner gives back a part, and then the rest; the log says who did, and why', async () => {
  const { owner, shop, path, order, log } = await paidOrder();
  expect((await owner.get(order)).text).toContain(`href="${path}"`);
  expect(
    (await owner.submit(path, path, { amount: plainAmount(ORDER_TOTAL / 2), reason: 'One was bad' }))
      .location,
  ).toBe(path);
  await reconcile(shop);
  expect(cellsOf((await owner.get(path)).text)).toEqual(
    expect.arrayContaining(['Given back', half, 'One was bad']),
  );
  expect((await owner.submit(path, path, { reason: 'The other, too' })).location).toBe(path);
  await reconcile(shop);
  expect(mainText((await owner.get(path)).text)).toContain('Nothing is left to give back.');
  expect((await owner.get(order)).text).not.toContain(`href="${path}"`);
  expect(await log()).toMatchObject([
    { action: 'gave money back', to: `{"amount":"${half}","reason":"One was bad"}` },
    { action: 'gave money back', to: `{"amount":"${half}","reason":"The other, too"}` },
  ]);
});

test.each([
  [
    'more than was paid',
    { amount: plainAmount(ORDER_TOTAL + 1), reason: 'x' },
    `At most ${all} can be given back.`,
  ],
  ['nothing', { amount: '0', reason: 'x' }, `At most ${all} can be given back.`],
  ['no amount', { amount: 'all', reason: 'x' }, 'Amount to give back must be an amount'],
  ['no reason', { amount: '1', reason: ' ' }, 'Reason'],
])('[fault 116] %s is refused with a sentence', async (_what, fields, text) => {
  const { owner, path } = await paidOrder();
  const answer = await owner.submit(path, path, fields);
  expect(answer.status).toBe(422);
  expect(documentOf(answer.text).querySelector('.summary')?.textContent).toContain(text);
});

test('[fault 102, 116] of two owners at once one gives back, and the other sees what has changed', async () => {
  const { owner, staff, path, log } = await paidOrder();
  const second = await staff('owner', 'second@example.com');
  const [mine, theirs] = [(await owner.get(path)).text, (await second.get(path)).text];
  const form = filledForm(mine, path, { reason: 'Cancelled' });
  expect((await owner.post(path, form)).status).toBe(303);
  expect((await owner.post(path, form)).status).toBe(303);
  const late = await second.post(path, filledForm(theirs, path, { reason: 'Cancelled' }));
  expect(late.status).toBe(409);
  expect(await log()).toHaveLength(1);
});

test('[fault 101] a packer sees no way to give money back', async () => {
  const { packer, path, order } = await paidOrder();
  expect((await packer.get(path)).status).toBe(403);
  expect((await packer.get(order)).text).not.toContain(path);
  expect((await packer.get('/office/ways')).status).toBe(403);
});

test('money that is due leads an owner from the note to giving it back, and from there to the note', async () => {
  const { owner, packer, path, order } = await paidOrder();
  expect((await owner.get(path)).text).not.toContain('note what was done');
  await owner.submit(`${order}/cancel`, `${order}/cancel`, {});
  const note = path.replace('/refund', '');
  const linksOf = (html: string) =>
    [...documentOf(html).querySelectorAll('main a')].map((link) => link.getAttribute('href'));
  const page = (await owner.get(note)).text;
  expect(linksOf(page)).toContain(path);
  expect(mainText(page)).toMatch(
    new RegExp(`Sandbox can give back ${all}\\. ?Give money back.*Done by hand.*What was done`),
  );
  expect(linksOf((await owner.get(path)).text)).toContain(note);
  const theirs = (await packer.get(note)).text;
  expect(linksOf(theirs)).not.toContain(path);
  expect(mainText(theirs)).toContain(`Sandbox can give back ${all}. Ask an owner to do so.`);
  await owner.submit(path, path, { reason: 'Cancelled' });
  expect(mainText((await owner.get(note)).text)).toContain('All of it is on its way back');
});

test('money that was paid in cash is given back by hand alone, so the note names no provider', async () => {
  const { owner, place, ask, token } = await packing({ paymentProviders: ['cod'] });
  const order = `${ORDERS}/${await place()}`;
  const id = order.replace(`${ORDERS}/`, '');
  await ask('/payments', { token, json: { orderId: id, fields: { method: 'Cash on delivery' } } });
  const action = /action="([^"]+\/collected)"/.exec((await owner.get(order)).text)?.[1] ?? '';
  await owner.submit(order, action);
  await owner.submit(`${order}/cancel`, `${order}/cancel`, {});
  const note = (await owner.get(action.replace('/collected', ''))).text;
  expect(mainText(note)).toContain('Done by hand');
  expect(mainText(note)).not.toContain('can give back');
});

test('[fault 108] an owner marks once what the courier brought', async () => {
  const { owner, place, ask, token, payments, log } = await packing({ paymentProviders: ['cod'] });
  const id = await place();
  await ask('/payments', { token, json: { orderId: id, fields: { method: 'Cash on delivery' } } });
  const order = (await owner.get(`${ORDERS}/${id}`)).text;
  const action = /action="([^"]+\/collected)"/.exec(order)?.[1] ?? '';
  expect(mainText(order)).toContain('To be paid at the door');
  await owner.post(action, filledForm(order, action));
  await owner.post(action, filledForm(order, action));
  expect(await payments()).toEqual(['paid']);
  expect(await log()).toMatchObject([{ action: 'collected the cash' }]);
});

test('the ways to pay show the ends of keys, the last webhook, and whether the provider answers', async () => {
  const provider = await startCashfree();
  const { owner, packer, place, ask, token, shop } = await packing({
    paymentProviders: ['cashfree', 'cod'],
    environment: provider.environment,
  });
  const page = (await owner.get('/office/ways')).text;
  const text = mainText(page);
  expect(text).toContain('Cashfree (test payments)');
  expect(text).toContain('/api/v1/payments/callback/cashfree');
  expect(text).toContain('None has come yet.');
  for (const secret of Object.values(provider.environment).filter(
    (value) => value.length > 8 && !value.includes('/'),
  ))
    expect(page).not.toContain(secret);
  const tryIt = async () => {
    await owner.submit('/office/ways', '/office/ways/cashfree');
    return mainText((await owner.get('/office/ways')).text);
  };
  expect(await tryIt()).toContain('Cashfree answers, and takes the keys.');
  provider.trouble('wrong-key');
  expect(await tryIt()).toContain('Cashfree does not work: it refuses the key');
  expect(mainText((await owner.get('/office')).text)).not.toContain('Trouble with a way to pay');
  const id = await place();
  const [method] = (await waysOf(shop)).map(({ option }) => option);
  await ask('/payments', { token, json: { orderId: id, fields: { method } } });
  expect(mainText((await owner.get('/office')).text)).toContain('Cashfree refuses the key, last seen');
  expect(mainText((await packer.get('/office')).text)).not.toContain('Cashfree');
  await provider.close();
});

test.each([
  ['less', '1.00', 100],
  ['more', '5000.00', 500_000],
])(
  '[fault 116] of a payment of %s than was asked for, what came can be given back, and no more',
  async (_what, amount, paise) => {
    const shop = await packing();
    const path = `${ORDERS}/money/${await shop.pay(await shop.place(), { amount })}/refund`;
    const tooMuch = await shop.owner.submit(path, path, { amount: plainAmount(paise + 1), reason: 'x' });
    expect(mainText(tooMuch.text)).toContain(`At most ${formatPaise(paise)} can be given back.`);
    expect((await shop.owner.submit(path, path, { reason: 'Wrong amount' })).location).toBe(path);
    await reconcile(shop.shop);
    expect(mainText((await shop.owner.get(path)).text)).toContain('Nothing is left to give back.');
  },
);
