import { paths } from '#paths.ts';
import { kindOf } from '#scripts/publish/site/content-security-policy.ts';
import type { SiteFacts } from '#scripts/publish/site/page-facts.ts';
import type { CatalogueReport, Files, Manifest } from './manifest.ts';

/** Addresses without a file. The specification names the first, and 404.html explains it. */
const WITHOUT_FILE = new Set<string>([paths.forgotPassword, '/build-info.json']);

const decode = (address: string): string | undefined => {
  try {
    return decodeURIComponent(address.replaceAll('&amp;', '&').replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
};

/** Whether a plain host finds a file for the address: PATH, PATH.html or PATH/index.html. */
function resolves(address: string, files: ReadonlySet<string>): boolean {
  const path = decode(address);
  if (path === undefined) return false;
  const name = path.slice(1).replace(/\/$/, '');
  const index = name === '' ? 'index.html' : `${name}/index.html`;
  return WITHOUT_FILE.has(path) || [name, `${name}.html`, index].some((file) => files.has(file));
}

/** Finds internal links that lead nowhere. */
function checkLinks(facts: SiteFacts, files: ReadonlySet<string>): string[] {
  const addresses = new Set([...facts.values()].flatMap(({ links }) => links));
  const dead = new Set([...addresses].filter((address) => !resolves(address, files)));
  return [...facts].flatMap(([file, { links }]) =>
    links
      .filter((address) => dead.has(address))
      .map((address) => `${file} links to ${address}, which is not there.`),
  );
}

/** Finds tags that the policy blocks. */
export const checkCode = (facts: SiteFacts): string[] =>
  [...facts].flatMap(([file, { forbidden }]) =>
    forbidden.map((tag) => `A browser will refuse this inline code, ${kindOf(file)}: ${tag}`),
  );

/** The most invalid products of all, and the most lost ones since the last release. */
const MAX_DROPPED = 0.05;
const MAX_LOST = 0.3;
/** In a smaller shop a few products are a large part, and hiding them is rarely a mistake. */
const GUARDED_FROM = 20;

const perCent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const number = (value: number): string => value.toLocaleString('en-IN');

interface Candidate {
  readonly files: Files;
  readonly facts: SiteFacts;
  readonly report: CatalogueReport;
  readonly before: Manifest | undefined;
  readonly allowShrink: boolean | undefined;
}

/** Returns the reasons why a release may not go live; empty if it may. */
export function checkRelease({ files, facts, report, before, allowShrink }: Candidate): string[] {
  const problems = [...checkCode(facts), ...checkLinks(facts, new Set(Object.keys(files)))];
  const { dropped } = report;
  const usable = Object.keys(report.products).length;
  const all = usable + dropped;
  const last = Object.keys(before?.products ?? {}).length;
  if (!allowShrink && last >= GUARDED_FROM && usable < last * (1 - MAX_LOST))
    problems.unshift(
      `The catalogue went from ${number(last)} to ${number(usable)} products, ${perCent(1 - usable / last)} fewer. If that is meant, publish with --allow-shrink.`,
    );
  if (dropped > all * MAX_DROPPED)
    problems.unshift(
      `${number(dropped)} of ${number(all)} products (${perCent(dropped / all)}) cannot be shown; at most 5 % may be left out. The lines that begin with [catalogue] say what is wrong with each.`,
    );
  return problems;
}
