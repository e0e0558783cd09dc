import { type Product, type ProductSummary, shownCategory } from './product.ts';
import { type TintWords, tintClass } from './tint.ts';

/** A picture as markup needs it. */
export interface Picture {
  readonly src: string;
  readonly srcset?: string;
  readonly width: number;
  readonly height: number;
}

/** All that a product card shows, at build and at run time. */
export interface Card extends ProductSummary {
  /** The class of the panel behind the picture. */
  readonly tint: string;
  /** Absent where the product has none. */
  readonly picture?: Picture;
}

/** Assumed of a picture nobody has looked at; the box around it keeps the layout. */
const UNKNOWN_SIDE = 640;

/** A picture at the server's own address (resolutions 20b). */
export const plainPicture = (src: string): Picture => ({ src, width: UNKNOWN_SIDE, height: UNKNOWN_SIDE });

/** @param tints site.ts's `tintWords` */
export function toCard(product: Product, picture: Picture | undefined, tints: TintWords): Card {
  const { id, name, price, originalPrice, image, category, sizes, colors } = product;
  return {
    id,
    name,
    price,
    ...(originalPrice === undefined ? {} : { originalPrice }),
    image,
    category: shownCategory(category),
    sizes,
    colors,
    tint: tintClass(product, tints),
    ...(picture ? { picture } : {}),
  };
}
