import { fileOf, PAGES } from '#page-table.ts';
import type { CatalogueReport } from '#scripts/publish/release/catalogue-report.ts';

const MOST_DROPPED = 0.05;
const MOST_LOST = 0.3;
/** In a smaller shop a few products are a large part, and whoever hides them means it. */
const GUARDED_FROM = 20;

const perCent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const number = (value: number): string => value.toLocaleString('en-IN');

/** Finds over 5 % unusable products, or over 30 % gone since a release of 20 or more. */
export function checkCatalogue(
  { products, dropped }: Pick<CatalogueReport, 'products' | 'dropped'>,
  productsBefore: number,
  allowShrink: boolean,
): string[] {
  const usable = Object.keys(products).length;
  const problems: string[] = [];
  if (dropped > (usable + dropped) * MOST_DROPPED) {
    problems.push(
      `${number(dropped)} of ${number(usable + dropped)} products (${perCent(dropped / (usable + dropped))}) cannot be shown; at most 5 % may be left out. The lines that begin with [catalogue] say what is wrong with each.`,
    );
  }
  if (!allowShrink && productsBefore >= GUARDED_FROM && usable < productsBefore * (1 - MOST_LOST)) {
    problems.push(
      `The catalogue went from ${number(productsBefore)} to ${number(usable)} products, ${perCent(1 - usable / productsBefore)} fewer. If that is meant, publish with --allow-shrink.`,
    );
  }
  return problems;
}

/** Finds products without a page. */
export const checkProductPages = (ids: readonly string[], files: ReadonlySet<string>): string[] =>
  ids.filter((id) => !files.has(`product/${id}.html`)).map((id) => `Product '${id}' has no page.`);

/** The page for testers is part of a trial alone (site/site-settings.ts), and others of what the API offers. */
const MAY_GO = new Set(
  Object.values(PAGES)
    .filter((row) => row === PAGES.apiTest || row.offer)
    .map(fileOf),
);

const PRODUCT_PAGE = /^product\/(.+)\.html$/;

/** Finds pages that are gone. That is fine only for the page of a product that has left the catalogue. */
export function checkLostPages(
  before: readonly string[],
  files: ReadonlySet<string>,
  ids: ReadonlySet<string>,
  allowLostPages: boolean,
): string[] {
  if (allowLostPages) return [];
  return before
    .filter((file) => file.endsWith('.html') && !MAY_GO.has(file) && !files.has(file))
    .filter((file) => ids.has(PRODUCT_PAGE.exec(file)?.[1] ?? '') || !PRODUCT_PAGE.test(file))
    .map(
      (file) =>
        `The page ${file} was in the last release and is missing. If that is meant, publish with --allow-lost-pages.`,
    );
}
