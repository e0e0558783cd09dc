import { icon, type Make } from '#components/markup.ts';
import type { Picture } from '#domain/picture.ts';
import { noPicture, pictureAttributes } from './picture.ts';

const ZOOM_IN = 'M19 11a8 8 0 1 1-16 0a8 8 0 0 1 16 0m2 10l-4.35-4.35M11 8v6m-3-3h6';

export interface GalleryContent {
  readonly name: string;
  readonly tint: string;
  readonly pictures: readonly Picture[];
  readonly onSale: boolean;
}

export function galleryMarkup<Node>(
  make: Make<Node>,
  { name, tint, pictures, onSale }: GalleryContent,
): Node {
  const several = pictures.length > 1;
  const altAt = (index: number): string => (several ? `${name}, ${index + 1} of ${pictures.length}` : name);
  const slides = pictures.map((picture, index) =>
    make(
      'li',
      { id: `picture-${index + 1}` },
      make('img', {
        alt: altAt(index),
        ...pictureAttributes(picture, 'product', index === 0 ? 'high' : 'lazy'),
      }),
    ),
  );
  const thumbs = pictures.map((picture, index) =>
    make(
      'li',
      {},
      make(
        'a',
        { class: `panel ${tint}`, href: `#picture-${index + 1}` },
        make('span', { class: 'sr-only' }, `Picture ${index + 1}`),
        make('img', { alt: '', ...pictureAttributes(picture, 'thumb', 'lazy') }),
      ),
    ),
  );
  return make(
    'div',
    { class: 'gallery', 'data-gallery': true },
    make(
      'div',
      { class: `gallery-panel panel ${tint}` },
      make(
        'ul',
        { class: 'gallery-strip', tabindex: several ? 0 : undefined, 'aria-label': 'Pictures' },
        ...(slides.length > 0 ? slides : [make('li', {}, noPicture(make))]),
      ),
      pictures.length > 0 &&
        make(
          'button',
          { class: 'icon-button gallery-zoom', type: 'button', 'aria-label': 'Zoom in', 'data-zoom': true },
          icon(make, ZOOM_IN, 22),
        ),
      make('span', { class: 'sale-badge', hidden: !onSale }, 'Sale'),
    ),
    several && make('ul', { class: 'gallery-thumbs' }, ...thumbs),
  );
}
