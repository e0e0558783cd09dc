import type { Rupees } from './money.ts';
import type { Picture } from './picture.ts';

/** A product in a row of small cards that show the name and the price alone. */
export interface Tile {
  readonly id: string;
  readonly name: string;
  readonly price: Rupees;
  readonly tint: string;
  /** The address of a small picture. */
  readonly thumb?: string;
}

/** The address of the narrowest variant. */
export const thumbOf = (picture: Picture | undefined): string | undefined =>
  picture && (picture.srcset?.split(' ')[0] ?? picture.src);
