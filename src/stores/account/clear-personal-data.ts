import { clearDrafts } from '#stores/checkout/clear-drafts.ts';
import { removeStored } from '#stores/shell/storage.ts';

/**
 * The stored keys that belong to the signed-in customer. A unit test compares them with the list of all stored keys.
 */
const PERSONAL_KEYS = [
  'addresses',
  'remembered-email',
  'order-to-pay',
  'shown-total',
  'pending-payment',
  'from',
];

export function clearPersonalData(): void {
  clearDrafts();
  for (const key of PERSONAL_KEYS) removeStored(key);
}
