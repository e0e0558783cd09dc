import { type Product, type ProductSummary, shownCategory } from './product.ts';
import { type TintWords, tintClass } from './tint.ts';
import type { Whole } from './whole.ts';

/** The attributes of an `<img>`. */
export interface Picture {
  readonly src: string;
  readonly srcset?: string;
  readonly width: number;
  readonly height: number;
}

/** Everything that a product card shows, at build and at run time. */
export interface Card extends ProductSummary {
  /** The class of the panel behind the picture. */
  readonly tint: string;
  /** Absent when the product has no picture. */
  readonly picture?: Picture | undefined;
}

/** The assumed size, in px, of a picture that the build has not measured. The box around it keeps the layout. */
const UNKNOWN_SIDE = 640;

/** A picture shown at the address that the server gave, without encoded variants (resolutions 20b). */
export const plainPicture = (src: string): Picture => ({ src, width: UNKNOWN_SIDE, height: UNKNOWN_SIDE });

/** @param tints `tintWords` of site.ts */
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
