import { atom } from 'nanostores';
import { EMPTY_ADDRESS, isPasted, type ShippingAddress, tidyField } from '#domain/shipping-address.ts';
import { keepDraft } from './checkout-draft.ts';

/** The address in the form. */
export const $address = atom<ShippingAddress>(EMPTY_ADDRESS);

export function chooseAddress(address: ShippingAddress): void {
  $address.set(address);
  keepDraft(address);
}

/** Takes the shopper's input. A text that was pasted or filled in by the browser is normalized at once. */
export function changeAddress(field: keyof ShippingAddress, text: string): void {
  const address = $address.get();
  chooseAddress({ ...address, [field]: isPasted(text, address[field]) ? tidyField(field, text) : text });
}

/** Normalizes a field when the shopper leaves it. */
export function tidyAddress(field: keyof ShippingAddress): void {
  const address = $address.get();
  const text = tidyField(field, address[field]);
  if (text !== address[field]) chooseAddress({ ...address, [field]: text });
}
