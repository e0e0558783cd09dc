import { atom, computed } from 'nanostores';
import type { StoreTerms } from '#domain/buying/facts.ts';
import { type DeliveryTerms, FREE_DELIVERY } from '#domain/delivery.ts';
import { fetchLater } from './products-today.ts';

/** What the store asks of an order today; undefined until the API has answered. */
export const $terms = atom<StoreTerms | undefined>();

const $built = atom<DeliveryTerms>(FREE_DELIVERY);

export const $delivery = computed([$terms, $built], (terms, built) => terms?.delivery ?? built);

/** @param built the terms when the page was built; undefined if delivery was free */
export const startDelivery = (built: DeliveryTerms = FREE_DELIVERY): void => $built.set(built);

/** Fetches today's terms, whatever the build knew: they decide what is paid. If that fails, the earlier terms stay. Never rejects. */
export async function refreshTerms(): Promise<void> {
  const result = await fetchLater(({ storeTermsRequest }) => storeTermsRequest());
  if (result?.ok) $terms.set(result.value);
}
