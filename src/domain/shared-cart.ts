import { type Cart, MAX_QUANTITY, MIN_QUANTITY } from './cart.ts';
import { encodePart } from './url.ts';

/** What somebody wants of a product, before the catalogue has been asked what it is today. */
export interface RequestedItem {
  readonly id: string;
  readonly quantity: number;
  readonly selectedSize: string;
  readonly selectedColor: string;
}

export interface SharedCart {
  readonly requested: readonly RequestedItem[];
  /** Parts of the link that could not be read, or were too many. */
  readonly dropped: number;
}

/** As many as one order takes (faults 34). */
export const SHARED_LIMIT = 100;
const TEXT_LIMIT = 20_000;
const PART_LIMIT = 300;

/**
 * The `items` of a link to this cart: `id:quantity:size:colour`, with commas between and nothing at the end that is
 * empty. No price, name or picture travels: they are the catalogue's.
 */
export const encodeItems = (cart: Cart): string =>
  cart
    .slice(0, SHARED_LIMIT)
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
  const count = Number(quantity || MIN_QUANTITY);
  if (!id || !(count >= MIN_QUANTITY)) return undefined;
  return {
    id,
    quantity: Math.min(Math.floor(count), MAX_QUANTITY),
    selectedSize: selectedSize ?? '',
    selectedColor: selectedColor ?? '',
  };
}

/** What a link's `items` says, whoever wrote it: what can be read is kept, the rest counted, never a throw. */
export function decodeItems(items: string): SharedCart {
  const parts = items
    .slice(0, TEXT_LIMIT)
    .split(',')
    .filter((part) => part !== '');
  const requested = parts
    .slice(0, SHARED_LIMIT)
    .map(toRequestedItem)
    .filter((each) => each !== undefined);
  return { requested, dropped: parts.length - requested.length };
}
