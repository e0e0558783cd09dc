import { shownCategory } from './page-bytes.ts';
import type { Picture } from './picture.ts';
import type { Product, ProductSummary, Whole } from './product.ts';
import { type TintWords, tintClass } from './tint.ts';

export interface Card extends ProductSummary {
  /** The class of the panel behind the picture. */
  readonly tint: string;
  readonly picture?: Picture | undefined;
}

/** @param tints `tintWords` of tint.ts */
export function toCard(product: Product, picture: Picture | undefined, tints: TintWords): Card {
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
    tint: tintClass(product, tints),
    picture,
  };
  return card;
}
