import { copyTemplate } from '#components/product/template.ts';
import { type ListingQuery, listingSearch, pageCount, paginationItems } from '#domain/listing.ts';
import { paths } from '#paths.ts';

type PageAddress = (page: number) => string;

function newItem(page: number, query: ListingQuery, pages: number, address: PageAddress): HTMLElement {
  const item = copyTemplate('page-item');
  const link = item.querySelector('a');
  if (!link) return item;
  link.textContent = String(page);
  link.href = address(page);
  link.setAttribute('aria-label', `Page ${page}${page === pages ? ', last page' : ''}`);
  if (page === query.page) link.setAttribute('aria-current', 'page');
  return item;
}

function newGap(): HTMLElement {
  const gap = document.createElement('li');
  gap.textContent = '…';
  gap.setAttribute('aria-hidden', 'true');
  return gap;
}

function setStep(link: Element | null, page: number, pages: number, address: PageAddress): void {
  if (page >= 1 && page <= pages) link?.setAttribute('href', address(page));
  else link?.removeAttribute('href');
}

/** Draws the page links of another query into the markup of Pagination.astro, and hides them for a single page. */
export function drawPagination(nav: HTMLElement, query: ListingQuery, total: number): void {
  const pages = pageCount(total);
  const address: PageAddress = (page) => paths.products + listingSearch({ ...query, page });
  nav.hidden = pages < 2;
  nav
    .querySelector('ul')
    ?.replaceChildren(
      ...paginationItems(query.page, pages).map((item) =>
        item === 'ellipsis' ? newGap() : newItem(item, query, pages, address),
      ),
    );
  setStep(nav.querySelector('[data-step=previous]'), query.page - 1, pages, address);
  setStep(nav.querySelector('[data-step=next]'), query.page + 1, pages, address);
}
