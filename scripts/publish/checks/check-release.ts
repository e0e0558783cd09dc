import { fileOf, PAGES } from '#page-table.ts';
import { paths } from '#paths.ts';
import type { CatalogueReport, Files, Manifest } from '#scripts/publish/release/manifest.ts';
import type { SiteFacts } from '#scripts/publish/site/page-facts.ts';
import { checkBudgets } from './budgets.ts';

/** The specification names this address, but it has no page; 404.html explains it. */
const WITHOUT_PAGE = new Set<string>([paths.forgotPassword]);
/** Files that are written only when the release is published. */
const WRITTEN_LATER = new Set(['build-info.json']);

const decode = (address: string): string | undefined => {
  try {
    return decodeURIComponent(address.replaceAll('&amp;', '&').replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
};

/** Whether a plain host finds a file for the address: PATH, PATH.html or PATH/index.html. */
export function resolves(address: string, files: ReadonlySet<string>): boolean {
  const path = decode(address);
  if (path === undefined) return false;
  if (WITHOUT_PAGE.has(path)) return true;
  const name = path.slice(1).replace(/\/$/, '');
  return (
    files.has(name) ||
    files.has(`${name}.html`) ||
    files.has(name === '' ? 'index.html' : `${name}/index.html`) ||
    WRITTEN_LATER.has(name)
  );
}

/** Finds internal links that lead nowhere, and JSON-LD that cannot be parsed. */
export function checkPages(facts: SiteFacts, files: ReadonlySet<string>): string[] {
  const cache = new Map<string, boolean>();
  const isDead = (address: string): boolean => {
    const dead = cache.get(address) ?? !resolves(address, files);
    cache.set(address, dead);
    return dead;
  };
  return [...facts].flatMap(([file, { links, badData }]) => [
    ...links.filter(isDead).map((address) => `${file} links to ${address}, which is not there.`),
    ...(badData ? [`${file} carries structured data (JSON-LD) that cannot be read.`] : []),
  ]);
}

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

/** The page for testers is part of a trial alone, and others of what the API offers. */
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

export interface Candidate {
  readonly site: string;
  readonly files: Files;
  readonly facts: SiteFacts;
  readonly report: CatalogueReport;
  /** The live release. */
  readonly before: Manifest | undefined;
  /** Inline code that the policy refuses. */
  readonly forbidden: readonly string[];
  readonly options: {
    readonly allowShrink?: boolean;
    readonly allowLostPages?: boolean;
    readonly allowHeavy?: boolean;
  };
}

/** The reasons why a release may not go live, in words; empty if it may. */
export async function checkRelease(candidate: Candidate): Promise<string[]> {
  const { site, facts, report, before, forbidden, options } = candidate;
  const names = Object.keys(candidate.files);
  const files = new Set(names);
  const ids = Object.keys(report.products);
  const productsBefore = Object.keys(before?.products ?? {}).length;
  return [
    ...checkCatalogue(report, productsBefore, options.allowShrink === true),
    ...checkProductPages(ids, files),
    ...checkLostPages(Object.keys(before?.files ?? {}), files, new Set(ids), options.allowLostPages === true),
    ...forbidden.map((tag) => `A browser will refuse this inline code, ${tag}`),
    ...checkPages(facts, files),
    ...(options.allowHeavy ? [] : await checkBudgets(site, facts)),
  ];
}
