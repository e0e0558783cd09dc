import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { WireAccount, WireToken } from '#api/schema/account.ts';
import { WireOrder, WireOrders } from '#api/schema/order.ts';
import { WirePaymentFields, WirePaymentResponse } from '#api/schema/payment.ts';
import { WireProductPage, WireSingleProduct } from '#api/schema/product.ts';
import { WireStoreInfo } from '#api/schema/store-info.ts';
import { paymentStep } from '#domain/payment.ts';
import { validatePaymentForm } from '#domain/payment-form.ts';
import { initialValues, submittedFields } from '#domain/payment-values.ts';
import { readCatalogue } from '#scripts/api/catalogue/folder/read.ts';
import { ProductListSchema } from '#scripts/api/catalogue/schema.ts';
import { MANGO, PASSWORD, testApi } from '#tests/api/support/api.ts';

/** What the storefront's lenient schemas make of the API's answers: nothing may be dropped on the way. */
describe('the storefront reads the reference API', () => {
  it('[spec 7.products.5, 7.products.6] every product of the demo catalogue, whole', async () => {
    const { ask } = await testApi({ catalogue: readCatalogue('scripts/catalogue') });
    for (const page of [1, 2]) {
      const { json } = await ask(`/products?limit=100&page=${page}`);
      const sent = v.parse(ProductListSchema, json);
      const read = await v.parseAsync(WireProductPage, json);
      expect(read.dropped).toEqual([]);
      expect(read.total).toBe(sent.count);
      expect(read.products.map(({ id, name, category }) => [id, name, category])).toEqual(
        sent.data.map(({ id, title, category }) => [id, title, category]),
      );
      for (const [index, product] of read.products.entries()) {
        expect(product.image).toBe(sent.data[index]?.imgUrl);
        expect(product.attributes).toHaveLength(sent.data[index]?.attributes.length ?? -1);
      }
    }
  });

  it('[spec 7.products.6] one product', async () => {
    const { ask } = await testApi();
    const { json } = await ask(`/products/${MANGO}`);
    expect(v.parse(WireSingleProduct, json)).toMatchObject({
      price: 899,
      originalPrice: 1099,
      featured: true,
    });
  });

  it('[spec 7.products.10] something for men, women and accessories in the demo catalogue', async () => {
    const { ask } = await testApi({ catalogue: readCatalogue('scripts/catalogue') });
    const filter = encodeURIComponent('Accessories,Personal Care,Home,null,Unisex');
    for (const query of ['gender=Men', 'gender=Women', `filter=${filter}`]) {
      const { total } = await v.parseAsync(WireProductPage, (await ask(`/products?${query}`)).json);
      expect(total).toBeGreaterThan(3);
    }
  });

  it('[spec 7.store.1] the store record', async () => {
    const { ask } = await testApi();
    const info = v.parse(WireStoreInfo, (await ask('/storeInfo')).json);
    expect(info.categories).toHaveLength(4);
    expect(info.categoryImages.get('Berries')).toBe('http://localhost:8044/images/cat-berries.webp');
    expect(info.policies.get('shipping')).toContain('{{');
  });

  it('[spec 7.users.1, 7.users.4] the account and the token', async () => {
    const { ask, customer } = await testApi();
    const { token, email } = await customer();
    const signedIn = (await ask('/users/authorize', { json: { email, password: PASSWORD } })).json;
    expect(v.parse(WireToken, signedIn).token).toHaveLength(43);
    const account = v.parse(WireAccount, (await ask('/accountInfo', { token })).json);
    expect(account).toEqual({
      email,
      firstName: 'Asha',
      lastName: 'Rao',
      createdAt: '2026-01-05T10:00:00.000Z',
    });
  });

  it('[spec 7.orders.2] an order, in a list and by itself', async () => {
    const { ask, customer, order } = await testApi();
    const { token, email } = await customer();
    await order(token, { [MANGO]: 3 });
    const [listed] = await v.parseAsync(WireOrders, (await ask('/orders', { token })).json);
    expect(listed).toMatchObject({ status: 0, items: [{ id: MANGO, quantity: 3, price: 899 }] });
    const tracked = await ask(`/orders/${listed?.id}?contactInfo=${email}`);
    expect(v.parse(WireOrder, tracked.json)).toEqual(listed);
  });

  it('[spec 7.payments.3] pays with the form as it opens, by each method', async () => {
    const { ask, customer, order } = await testApi();
    const { token } = await customer();
    await order(token);
    const [{ id: orderId } = { id: '' }] = await v.parseAsync(
      WireOrders,
      (await ask('/orders', { token })).json,
    );
    const fields = v.parse(WirePaymentFields, (await ask('/payments/fields', { token })).json);
    const rules = { local: true };
    const kinds: string[] = [];
    for (const method of fields[0]?.options ?? []) {
      const values = initialValues(fields).set('method', method);
      expect([...validatePaymentForm(fields, values)]).toEqual([]);
      const { json } = await ask('/payments', {
        token,
        json: { fields: submittedFields(fields, values), orderId },
      });
      kinds.push(paymentStep(v.parse(WirePaymentResponse, json), rules).kind);
    }
    expect(kinds).toEqual(['qr', 'open-app', 'post']);
  });
});
