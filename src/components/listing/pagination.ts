import { icon, type Make } from '#components/markup.ts';
import { type ListingQuery, listingSearch, pageCount, paginationItems } from '#domain/listing.ts';
import { paths } from '#paths.ts';

const LEFT = 'm15 18l-6-6l6-6';
const RIGHT = 'm9 18l6-6l-6-6';

/** The links to the pages of a listing with `total` products. */
export function paginationMarkup<Node>(make: Make<Node>, query: ListingQuery, total: number): Node {
  const pages = pageCount(total);
  const href = (page: number): string | undefined =>
    page >= 1 && page <= pages ? paths.products + listingSearch({ ...query, page }) : undefined;
  const step = (page: number, ...content: Node[]): Node =>
    make('a', { class: 'pagination-step', href: href(page) }, ...content);
  const items = paginationItems(query.page, pages).map((page) => {
    if (page === 'ellipsis') return make('li', { 'aria-hidden': 'true' }, '…');
    const label = `Page ${page}${page === pages ? ', last page' : ''}`;
    const current = page === query.page && 'page';
    const link = { href: href(page), 'aria-label': label, 'aria-current': current };
    return make('li', {}, make('a', link, String(page)));
  });
  return make(
    'nav',
    { class: 'pagination', 'aria-label': 'Pagination', 'data-pagination': true, hidden: pages < 2 },
    step(query.page - 1, icon(make, LEFT, 20), make('span', {}, 'Previous')),
    make('ul', {}, ...items),
    step(query.page + 1, make('span', {}, 'Next'), icon(make, RIGHT, 20)),
  );
}
