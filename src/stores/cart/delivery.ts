import { atom } from 'nanostores';
import { type DeliveryTerms, FREE_DELIVERY } from '#domain/delivery.ts';

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
  try {
    const [{ fetchPublic }, { storeInfoRequest }] = await Promise.all([
      import('#api/client.ts'),
      import('#api/requests.ts'),
    ]);
    const result = await fetchPublic(storeInfoRequest());
    if (result.ok) $delivery.set(result.value.delivery);
  } catch {
    // The code of the request could not be loaded: the device is offline, or a newer release replaced the file.
  }
}
