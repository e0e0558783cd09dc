import { paths } from '#paths.ts';
import type { SiteFacts } from '#scripts/publish/site/page-facts.ts';

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
