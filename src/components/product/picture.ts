import type { Picture } from '#domain/card.ts';

/** Every media box of a card is as high at every width (spec 2, product card), in px. */
const CARD_HEIGHT = 300;
const PRODUCT_BOX = 640;

const ratio = ({ width, height }: Picture): number => Math.max(1, width / height);

/** How wide a picture is drawn in each slot: never cropped, so by its height. The widest possible, for `sizes`. */
const SLOTS = {
  card: (picture: Picture): string => `${Math.round(CARD_HEIGHT * ratio(picture))}px`,
  product: (picture: Picture): string =>
    `(min-width:768px) min(50vw,${Math.round(PRODUCT_BOX * ratio(picture))}px),min(100vw,${Math.round(336 * ratio(picture))}px)`,
  category: (): string => '372px',
  thumb: (picture: Picture): string => `${Math.round(64 * ratio(picture))}px`,
} as const;

export type Slot = keyof typeof SLOTS;

/** How soon a picture is wanted: the largest of the first view, others of the first view, or when it comes near. */
export type Priority = 'high' | 'eager' | 'lazy';

const LOADING: Readonly<Record<Priority, Readonly<Record<string, string>>>> = {
  high: { fetchpriority: 'high' },
  eager: {},
  lazy: { loading: 'lazy', decoding: 'async' },
};

/** What a picture of a product's page is called; `index` from 0. */
export const pictureText = (name: string, index: number, count: number): string =>
  count > 1 ? `${name}, ${index + 1} of ${count}` : name;

/** The attributes of an <img>, the same at build and at run time. `loading` comes before `src`, or it is too late. */
export function pictureAttributes(picture: Picture, slot: Slot, priority: Priority): Record<string, string> {
  const { src, srcset, width, height } = picture;
  return {
    ...LOADING[priority],
    ...(srcset ? { sizes: SLOTS[slot](picture), srcset } : {}),
    width: String(width),
    height: String(height),
    src,
  };
}

const ALL = ['loading', 'decoding', 'fetchpriority', 'sizes', 'srcset'];

/** Draws a picture into an <img> that may have shown another. */
export function fillImage(image: Element, picture: Picture, slot: Slot, priority: Priority): void {
  for (const name of ALL) image.removeAttribute(name);
  for (const [name, value] of Object.entries(pictureAttributes(picture, slot, priority))) {
    image.setAttribute(name, value);
  }
}
