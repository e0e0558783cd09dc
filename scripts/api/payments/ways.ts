import * as CURRENCY from '#domain/currency.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import type { Payable } from './payable.ts';
import type { PaymentProvider } from './providers/provider.ts';
import { providersOf } from './providers/table.ts';

/** One option of the payment form. */
export interface Way {
  /** As the shopper reads it. */
  readonly option: string;
  /** What its provider calls it. */
  readonly method: string;
  readonly name: string;
  readonly provider: PaymentProvider;
}

/** Any order that can be paid in every way, for a form that is asked for without an order. */
const ANY_ORDER = { totalPaise: 0, address: { postalCode: '' } };

/** The ways to pay this order, in the order in which the settings name their providers. */
export async function waysOf(
  shop: Shop,
  order: Pick<Payable, 'totalPaise'> & { address: { postalCode: string } } = ANY_ORDER,
): Promise<Way[]> {
  const { totalPaise, address } = order;
  const { cashOnDelivery: cashLimits } = await shop.catalogue();
  const payable = { totalPaise, currency: CURRENCY.code, postalCode: address.postalCode, cashLimits };
  const ways = [...providersOf(shop)].flatMap(([name, provider]) =>
    provider.ways(payable).map((method) => ({ method, name, provider })),
  );
  const isDouble = (method: string) => ways.filter((way) => way.method === method).length > 1;
  return ways.map((way) => ({
    ...way,
    option: isDouble(way.method) ? `${way.method} (${way.provider.title})` : way.method,
  }));
}
