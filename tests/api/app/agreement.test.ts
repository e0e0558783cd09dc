import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { AnswerSchema } from '#api/answer.ts';
import { AccountReader, DeviceReader, EmailConfirmedReader, TokenReader } from '#api/schema/account.ts';
import { OffersReader } from '#api/schema/offers.ts';
import { CreatedOrderReader, OrderReader, OrdersReader } from '#api/schema/order.ts';
import { PaymentFieldsReader, PaymentResponseReader } from '#api/schema/payment.ts';
import { ProductPageReader, SingleProductReader } from '#api/schema/product.ts';
import { StoreInfoReader } from '#api/schema/store-info.ts';
import { API_CALLS } from '#scripts/api/app/calls.ts';
import { readCatalogue } from '#scripts/api/catalogue/folder/read.ts';
import { ProductListSchema } from '#scripts/api/catalogue/schema.ts';
import { testApi } from '#tests/api/support/api.ts';
import { namesIn, recorded, sampleOf } from '#tests/api/support/recorded.ts';

/** What the storefront's lenient schemas make of the API's answers: nothing may be dropped on the way. */
describe('the storefront reads the reference API', () => {
  it('[spec 7.products.5, 7.products.6] every product of the demo catalogue, whole', async () => {
    const { ask } = await testApi({ catalogue: readCatalogue('scripts/catalogue') });
    for (const page of [1, 2]) {
      const { json } = await ask(`/products?limit=100&page=${page}`);
      const sent = v.parse(ProductListSchema, json);
      const read = await v.parseAsync(ProductPageReader, json);
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

  it('[spec 7.products.10] something for men, women and accessories in the demo catalogue', async () => {
    const { ask } = await testApi({ catalogue: readCatalogue('scripts/catalogue') });
    const filter = encodeURIComponent('Accessories,Personal Care,Home,null,Unisex');
    for (const query of ['gender=Men', 'gender=Women', `filter=${filter}`]) {
      const { total } = await v.parseAsync(ProductPageReader, (await ask(`/products?${query}`)).json);
      expect(total).toBeGreaterThan(3);
    }
  });
});

/** Who reads the answer of each call, by its operationId. */
const READERS: Readonly<Record<string, readonly AnswerSchema[]>> = {
  listProducts: [ProductPageReader],
  getProduct: [SingleProductReader],
  getStoreInfo: [StoreInfoReader, OffersReader],
  signIn: [TokenReader],
  register: [],
  getAccount: [AccountReader],
  listOrders: [OrdersReader],
  createOrder: [CreatedOrderReader, OrderReader],
  trackOrder: [OrderReader],
  cancelOrder: [OrderReader],
  askReturn: [OrderReader],
  listPaymentFields: [PaymentFieldsReader],
  submitPayment: [PaymentResponseReader],
  signOut: [],
  forgotPassword: [],
  resetPassword: [DeviceReader],
  changeName: [],
  changePassword: [TokenReader],
  changeEmail: [],
  confirmEmail: [EmailConfirmedReader],
  getPersonalData: [],
  askDeletion: [],
  confirmDeletion: [],
  reportPayment: [],
  contact: [],
};

/** Fields that the storefront leaves alone, and why. */
const NOT_READ: Readonly<Record<string, string>> = {
  'listProducts data.attributes.id': 'an attribute is known by its key',
  'getProduct data.attributes.id': 'an attribute is known by its key',
  'getStoreInfo pricesSince': 'the watcher reads it',
  'listProducts pagination.page': 'the shop knows what it has asked for',
  'listProducts pagination.limit': 'the shop knows what it has asked for',
  'listProducts pagination.totalPages': 'follows from the total',
  'register data': 'the response is not read',
  'register data.email': 'the response is not read',
  'register data.firstName': 'the response is not read',
  'register data.lastName': 'the response is not read',
  'reportPayment received': 'the gateway reads it',
};

/** The fields that an answer of this call has and no reader asks for. */
async function unreadOf({ operationId, answer }: (typeof API_CALLS)[number]): Promise<string[]> {
  const sample = sampleOf(answer);
  const read = new Set<string>();
  for (const reader of READERS[operationId] ?? [])
    expect((await v.safeParseAsync(reader, recorded(sample, read))).success, operationId).toBe(true);
  return namesIn(sample)
    .filter((name) => !read.has(name))
    .map((name) => `${operationId} ${name}`);
}

it('every field that a call answers is read by the storefront, or a reason is given', async () => {
  expect(API_CALLS.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(READERS).toSorted());
  const unread = (await Promise.all(API_CALLS.map(unreadOf))).flat();
  expect(unread.toSorted()).toEqual(Object.keys(NOT_READ).toSorted());
});
