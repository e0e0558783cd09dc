import { type Cart, productQuantities } from '#domain/cart.ts';
import { languageOf } from '#domain/language.ts';
import { type Paise, toRupees } from '#domain/money.ts';
import { type ShippingAddress, trimAddress } from '#domain/shipping-address.ts';
import { ADDRESSES } from './addresses.ts';
import { call } from './client.ts';
import type { Result } from './failure.ts';
import { CreatedOrderSchema } from './schema/order.ts';

export interface OrderRequest {
  readonly cart: Cart;
  readonly address: ShippingAddress;
  /** The total that the shopper saw. An API with the capability refuses a dearer order. */
  readonly total?: Paise | undefined;
  /** One per checkout attempt. Sent only if the API has the capability. */
  readonly idempotencyKey: string;
}

const lineDtos = (cart: Cart) =>
  cart.map(({ id, quantity, selectedSize, selectedColor }) => ({
    id,
    quantity,
    selectedSize,
    selectedColor,
  }));

/** Whether the API writes emails or refusals that the customer reads. */
const writesSentences = __CAPABILITIES__.emails || __CAPABILITIES__.stock || __CAPABILITIES__.terms;

/** POST /orders. Never retried. */
export const createOrder = ({
  cart,
  address,
  total,
  idempotencyKey,
}: OrderRequest): Promise<Result<{ id: string }>> =>
  call(CreatedOrderSchema, ADDRESSES.orders, {
    method: 'post',
    json: {
      products: productQuantities(cart),
      shippingAddress: trimAddress(address),
      language: writesSentences ? languageOf(document.documentElement.lang) : undefined,
      expectedTotal: __CAPABILITIES__.expectedTotal && total !== undefined ? toRupees(total) : undefined,
      lines: __CAPABILITIES__.orderLines ? lineDtos(cart) : undefined,
    },
    headers: __CAPABILITIES__.idempotencyKeys ? { 'Idempotency-Key': idempotencyKey } : {},
  });
