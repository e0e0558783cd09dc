import { atom } from 'nanostores';
import { type DeliveryTerms, FREE_DELIVERY } from '#domain/delivery.ts';
import { fetchLater } from './products-today.ts';

export const $delivery = atom<DeliveryTerms>(FREE_DELIVERY);

/** @param built the terms when the page was built; undefined if delivery was free */
export function startDelivery(built: DeliveryTerms | undefined): void {
  if (built && $delivery.get() === FREE_DELIVERY) $delivery.set(built);
}

/** Fetches today's terms, whatever the build knew: they decide what is paid. If that fails, the earlier terms stay. Never rejects. */
export async function refreshDelivery(): Promise<void> {
  const result = await fetchLater(({ storeInfoRequest }) => storeInfoRequest());
  if (result?.ok) $delivery.set(result.value.delivery);
}
