import { shownCategory } from './page-bytes.ts';
import type { Picture } from './picture.ts';
import type { Product, ProductSummary, Whole } from './product.ts';
import { tintClass } from './tint.ts';

export interface Card extends ProductSummary {
  /** The class of the panel behind the picture. */
  readonly tint: string;
  readonly picture?: Picture | undefined;
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
  };
  return card;
}
