import { atom, onMount } from 'nanostores';
import { listOf, parseJson } from '#domain/json.ts';
import {
  ADDRESS_FIELD_NAMES,
  blankAddressFields,
  decodeAddress,
  type ShippingAddress,
  trimAddress,
} from '#domain/shipping-address.ts';
import { readStored, removeStored, watchStored, writeStored } from '#stores/shell/storage.ts';

/** Addresses that customers chose to save on this device, newest first. */

const ADDRESSES_KEY = 'addresses';
const ADDRESSES_LIMIT = 5;

export const $savedAddresses = atom<readonly ShippingAddress[]>([]);

export const $wantsAddressSaved = atom(false);

const read = (): readonly ShippingAddress[] =>
  listOf(parseJson(readStored(ADDRESSES_KEY)))
    .map(decodeAddress)
    .filter((address) => address !== undefined)
    .filter((address) => blankAddressFields(address).length === 0)
    .slice(0, ADDRESSES_LIMIT);

const refresh = (): void => $savedAddresses.set(read());

onMount($savedAddresses, () => {
  refresh();
  return watchStored(ADDRESSES_KEY, refresh);
});

const isSame = (one: ShippingAddress, other: ShippingAddress): boolean =>
  ADDRESS_FIELD_NAMES.every((field) => one[field] === other[field]);

function write(addresses: readonly ShippingAddress[]): void {
  if (addresses.length === 0) removeStored(ADDRESSES_KEY);
  else writeStored(ADDRESSES_KEY, JSON.stringify(addresses));
  $savedAddresses.set(addresses);
}

export function saveAddressIfWanted(orderAddress: ShippingAddress): void {
  if (!$wantsAddressSaved.get()) return;
  const address = trimAddress(orderAddress);
  write([address, ...read().filter((other) => !isSame(other, address))].slice(0, ADDRESSES_LIMIT));
}

export const removeSavedAddress = (address: ShippingAddress): void =>
  write(read().filter((other) => !isSame(other, address)));
