import type { Make } from '#components/markup.ts';
import { type ListingQuery, listingSearch } from '#domain/listing.ts';
import { paths } from '#paths.ts';

/** A link to the products of a parent category, which keeps the other filters. */
export const pillMarkup = <Node>(make: Make<Node>, query: ListingQuery, parentCategory: string): Node =>
  make(
    'li',
    {},
    make(
      'a',
      {
        class: 'pill',
        href: paths.products + listingSearch({ ...query, parentCategory, page: 1 }),
        'data-parent': parentCategory,
        translate: 'no',
      },
      parentCategory,
    ),
  );
