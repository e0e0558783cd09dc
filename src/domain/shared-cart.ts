import { type Cart, MAX_PRODUCTS, MIN_QUANTITY, toQuantity } from './cart.ts';
import { readNumber } from './number-input.ts';
import { encodePart } from './url.ts';

/** An item of a shared cart or an earlier order, before the lookup in the catalogue. */
export interface RequestedItem {
  readonly id: string;
  readonly quantity: number;
  readonly selectedSize: string;
  readonly selectedColor: string;
}

export interface SharedCart {
  readonly requested: readonly RequestedItem[];
  /** The number of items that could not be read or exceed the limit. */
  readonly dropped: number;
}

const TEXT_LIMIT = 20_000;
const PART_LIMIT = 300;

/**
 * Returns the `items` parameter of a link to this cart: `id:quantity:size:colour`, separated by commas, without empty
 * parts at the end. Price, name and picture come from the catalogue.
 */
export const encodeItems = (cart: Cart): string =>
  cart
    .slice(0, MAX_PRODUCTS)
    .map(({ id, quantity, selectedSize, selectedColor }) =>
      [id, String(quantity), selectedSize, selectedColor].map(encodePart).join(':').replace(/:+$/, ''),
    )
    .join(',');

function decodePart(part: string | undefined): string | undefined {
  try {
    return decodeURIComponent(part ?? '').slice(0, PART_LIMIT);
  } catch {
    return undefined;
  }
}

function toRequestedItem(item: string): RequestedItem | undefined {
  const [id, quantity, selectedSize, selectedColor] = item.split(':', 4).map(decodePart);
  const count = toQuantity(quantity ? readNumber(quantity) : MIN_QUANTITY);
  if (!id || count === undefined) return undefined;
  return {
    id,
    quantity: count,
    selectedSize: selectedSize ?? '',
    selectedColor: selectedColor ?? '',
  };
}

/** Parses the untrusted `items` parameter. Counts unreadable items and never throws. */
export function decodeItems(items: string): SharedCart {
  const parts = items
    .slice(0, TEXT_LIMIT)
    .split(',')
    .filter((part) => part !== '');
  const requested = parts
    .slice(0, MAX_PRODUCTS)
    .map(toRequestedItem)
    .filter((item) => item !== undefined);
  return { requested, dropped: parts.length - requested.length };
}
