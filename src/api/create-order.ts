import { type Cart, productQuantities } from '#domain/cart.ts';
import { languageOf } from '#domain/language.ts';
import { type ShippingAddress, trimAddress } from '#domain/shipping-address.ts';
import { ADDRESSES } from './addresses.ts';
import { call } from './client.ts';
import type { Result } from './failure.ts';
import { CreatedOrderSchema } from './schema/order.ts';

export interface OrderRequest {
  readonly cart: Cart;
  readonly address: ShippingAddress;
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

/** POST /orders. Never retried. */
export const createOrder = ({
  cart,
  address,
  idempotencyKey,
}: OrderRequest): Promise<Result<{ id: string }>> =>
  call(CreatedOrderSchema, ADDRESSES.orders, {
    method: 'post',
    json: {
      products: productQuantities(cart),
      shippingAddress: trimAddress(address),
      ...(__CAPABILITIES__.emails ? { language: languageOf(document.documentElement.lang) } : {}),
      ...(__CAPABILITIES__.orderLines ? { lines: lineDtos(cart) } : {}),
    },
    ...(__CAPABILITIES__.idempotencyKeys ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
  });
