import { icon, type Make } from '#components/markup.ts';
import type { Picture } from '#domain/picture.ts';

/** The height of a card's picture box in px, the same at every width. */
const CARD_HEIGHT = 300;
const PRODUCT_HEIGHT = 640;

const ratio = ({ width, height }: Picture): number => Math.max(1, width / height);

/** The `sizes` of each slot: the width that an uncropped picture has at the slot's height. */
const SLOTS = {
  card: (picture: Picture): string => `${Math.round(CARD_HEIGHT * ratio(picture))}px`,
  product: (picture: Picture): string =>
    `(min-width:768px) min(50vw,${Math.round(PRODUCT_HEIGHT * ratio(picture))}px),min(100vw,${Math.round(336 * ratio(picture))}px)`,
  category: (): string => '372px',
  thumb: (picture: Picture): string => `${Math.round(64 * ratio(picture))}px`,
} as const;

export type Slot = keyof typeof SLOTS;

/**
 * `high`: the largest picture of the first view. `eager`: others in its row. `lazy`: loads near the viewport.
 * Only the largest has priority, because on a slow connection the others would delay it.
 */
export type Priority = 'high' | 'eager' | 'lazy';

const LOADING: Readonly<Record<Priority, Readonly<Record<string, string>>>> = {
  high: { fetchpriority: 'high' },
  eager: { fetchpriority: 'low' },
  lazy: { loading: 'lazy', decoding: 'async', fetchpriority: 'low' },
};

/** Returns the attributes of an <img>. `loading` must be set before `src` to have an effect. */
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

const IMAGE_OFF =
  'm2 2l20 20M10.41 10.41a2 2 0 1 1-2.83-2.83m5.92 5.92L6 21m12-9l3 3M3.59 3.59A2 2 0 0 0 3 5v14a2 2 0 0 0 2 2h14c.55 0 1.052-.22 1.41-.59M21 15V5a2 2 0 0 0-2-2H9';

export const noPicture = <Node>(make: Make<Node>): Node =>
  make('span', { class: 'panel-placeholder' }, icon(make, IMAGE_OFF, 32), 'Image unavailable');
