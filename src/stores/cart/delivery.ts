import { atom } from 'nanostores';
import { type DeliveryTerms, FREE_DELIVERY } from '#domain/delivery.ts';
import { fetchLater } from './products-today.ts';

export const $delivery = atom<DeliveryTerms>(FREE_DELIVERY);

/** Whether the page was built with a charge. Only then are today's terms fetched. */
let isCharged = false;

/** @param built the terms when the page was built; undefined if delivery was free */
export function startDelivery(built: DeliveryTerms | undefined): void {
  if (!built || isCharged) return;
  isCharged = true;
  $delivery.set(built);
}

/** Fetches today's terms. If that fails, the earlier terms stay. Never rejects. */
export async function refreshDelivery(): Promise<void> {
  if (!isCharged) return;
  const result = await fetchLater(({ storeInfoRequest }) => storeInfoRequest());
  if (result?.ok) $delivery.set(result.value.delivery);
}
