import { availabilityOf, availabilityText, isBuyable } from './buying/availability.ts';
import { shownCategory } from './page-bytes.ts';
import type { Picture } from './picture.ts';
import type { Product, ProductSummary, Whole } from './product.ts';
import { tintClass } from './tint.ts';

export interface Card extends ProductSummary {
  /** The class of the panel behind the picture. */
  readonly tint: string;
  readonly picture?: Picture | undefined;
  /** Why the product cannot be bought now, such as 'Sold out'. Undefined if it can, or only lacks a price. */
  readonly soldOut?: string | undefined;
  /** The minimum quantity of an order, if more than one. */
  readonly minPerOrder?: number | undefined;
}

export function soldOutText(product: Product): string | undefined {
  const now = Date.now();
  const availability = availabilityOf(product, now);
  return isBuyable(availability) || availability === 'unpriced' ? undefined : availabilityText(product, now);
}

export function toCard(product: Product, picture?: Picture): Card {
  const { id, name, price, originalPrice, image, category, sizes, colors } = product;
  const card: Whole<Card> = {
    id,
    name,
    price,
    originalPrice,
    image,
    category: shownCategory(category),
    sizes,
    colors,
    tint: tintClass(product),
    picture,
    soldOut: soldOutText(product),
    minPerOrder: product.buying?.minPerOrder || undefined,
  };
  return card;
}
