import type { Picture } from './card.ts';
import type { Rupees } from './money.ts';

/** A product in a row of few words: what it is and what it costs. */
export interface Tile {
  readonly id: string;
  readonly name: string;
  readonly price: Rupees;
  readonly tint: string;
  /** The address of a small picture. */
  readonly thumb?: string;
}

/** The narrowest variant there is. */
export const thumbOf = (picture: Picture | undefined): string | undefined =>
  picture && (picture.srcset?.split(' ')[0] ?? picture.src);
