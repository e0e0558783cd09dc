import type { SoldProduct, StockState } from './facts.ts';

export type Availability = StockState | 'discontinued' | 'unpriced';

type Shown = Pick<SoldProduct, 'price' | 'buying'> | 'discontinued';

const INDIA_OFFSET_MS = 5.5 * 60 * 60 * 1000;

/**
 * Whether a day such as '2027-04-15' has not come yet in India. Without domain/date.ts, which is too large for first scripts.
 * @param now ms since 1970
 */
export const isBeforeDay = (day = '', now: number): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(day) && new Date(now + INDIA_OFFSET_MS).toJSON() < day;

/**
 * Whether a product can be bought: the one answer for cards, pages, cart, wishlist, feed and structured data.
 * @param now ms since 1970
 * @param size the availability of this size, if the product's own does not decide
 */
export function availabilityOf(product: Shown, now: number, size = ''): Availability {
  if (product === 'discontinued') return 'discontinued';
  const { price, buying = {} } = product;
  if (!(price > 0)) return 'unpriced';
  if (isBeforeDay(buying.backOn, now)) return 'back_on';
  const { availability = 'in_stock' } = buying.sizes?.find((each) => each.size === size) ?? buying;
  // The day has come since the page was built.
  return availability === 'back_on' ? 'in_stock' : availability;
}

/** Whether the answer lets a shopper buy. */
export const isBuyable = (availability: Availability): boolean =>
  availability === 'in_stock' || availability === 'few_left';

/** A first day stands for its month: 'in April', 'on 15 April 2027'. `Intl` is slow, but few products have a day. */
function whenOf(day: string): string {
  const format = (options: Intl.DateTimeFormatOptions): string =>
    new Date(day).toLocaleDateString('en-GB', { timeZone: 'UTC', month: 'long', ...options });
  return day.endsWith('-01') ? `in ${format({})}` : `on ${format({ day: 'numeric', year: 'numeric' })}`;
}

/** What a page says beside the product; '' if nothing. @param size as in `availabilityOf` */
export function availabilityText(product: Shown, now: number, size = ''): string {
  const availability = availabilityOf(product, now, size);
  const { backOn = '', left, sizes } = product === 'discontinued' ? {} : (product.buying ?? {});
  const count = sizes?.find((each) => each.size === size)?.left ?? left;
  switch (availability) {
    case 'discontinued':
      return 'This product is no longer available.';
    case 'unpriced':
      return 'Price unavailable';
    case 'sold_out':
      return 'Sold out';
    case 'back_on':
      return `Sold out, back ${whenOf(backOn)}`;
    case 'few_left':
      return count ? `Only ${count} left` : '';
    case 'in_stock':
      return '';
  }
}
