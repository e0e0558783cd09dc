import { atom } from 'nanostores';
import { type DeliveryTerms, FREE_DELIVERY } from '#domain/delivery.ts';
import { fetchLater } from './products-today.ts';

/** What delivery costs, as far as this page knows. */
export const $delivery = atom<DeliveryTerms>(FREE_DELIVERY);

/** Whether the page was built with a charge. Only then are today's terms worth a call. */
let isCharged = false;

/** Takes the terms that the page was built with; undefined where delivery is free. */
export function startDelivery(built: DeliveryTerms | undefined): void {
  if (!built || isCharged) return;
  isCharged = true;
  $delivery.set(built);
}

/** Asks for today's terms. Those so far stay where the API does not answer. Never rejects. */
export async function refreshDelivery(): Promise<void> {
  if (!isCharged) return;
  const result = await fetchLater(({ storeInfoRequest }) => storeInfoRequest());
  if (result?.ok) $delivery.set(result.value.delivery);
}
