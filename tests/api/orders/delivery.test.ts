import * as v from 'valibot';
import { expect, it } from 'vitest';
import { StoreInfoReader } from '#api/schema/store-info.ts';
import { saveStoreRecord, storeRecord } from '#scripts/api/store/edit-store.ts';
import { MANGO, testApi } from '#tests/api/support/api.ts';

it('[spec 3.store.7] charges what the store record says of the moment, to the paisa, and tells the shop', async () => {
  const api = await testApi();
  const { token } = await api.customer();
  const order = async (quantity = 1) => await api.placeOrder(token, { [MANGO]: quantity });
  const { total: subtotal } = await order();
  const record = await storeRecord(api.db);
  const delivery = { ...record.delivery, charge: 60.55, freeFrom: 2 * subtotal };
  await api.db.write((transaction) => saveStoreRecord(transaction, { ...record, delivery }));

  expect((await order()).amounts).toEqual([
    { name: 'Subtotal', amount: subtotal },
    { name: 'Shipping', amount: 60.55 },
  ]);
  const charged = await order();
  expect(Math.round(charged.total * 100)).toBe(Math.round(subtotal * 100) + 60_55);
  expect(await order(2)).toMatchObject({
    total: 2 * subtotal,
    amounts: [{ name: 'Subtotal' }, { name: 'Shipping', amount: 0 }],
  });
  const { json } = await api.ask('/storeInfo');
  expect(v.parse(StoreInfoReader, json).delivery).toMatchObject({ charge: 60.55, freeFrom: 2 * subtotal });
});
