import { clearDrafts } from '#stores/checkout/clear-drafts.ts';
import { removeStored } from '#stores/shell/storage.ts';

/** What the device keeps of its signed-in person. A unit test compares it with the list of all that is stored. */
const PERSONAL_KEYS = [
  'addresses',
  'remembered-email',
  'order-to-pay',
  'shown-total',
  'waiting-payment',
  'from',
];

/** Forgets who was signed in: the next person on this device sees nothing of them. */
export function clearPersonalData(): void {
  clearDrafts();
  for (const key of PERSONAL_KEYS) removeStored(key);
}
