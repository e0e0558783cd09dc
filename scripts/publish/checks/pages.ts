import { paths } from '#paths.ts';
import type { SiteFacts } from '#scripts/publish/page-facts.ts';

/** Named by the specification without a page of its own; 404.html explains it (resolutions 5). */
const WITHOUT_PAGE = new Set<string>([paths.forgotPassword]);
/** Written when the release is published. */
const WRITTEN_LATER = new Set(['build-info.json']);

const decode = (address: string): string | undefined => {
  try {
    return decodeURIComponent(address.replaceAll('&amp;', '&').replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
};

/** Whether a plain host finds PATH, PATH.html or PATH/index.html (resolutions 2). */
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

/** Internal links lead somewhere and JSON-LD parses, in every page. */
export function checkPages(facts: SiteFacts, files: ReadonlySet<string>): string[] {
  const dead = new Map<string, boolean>();
  const isDead = (address: string): boolean => {
    const known = dead.get(address) ?? !resolves(address, files);
    dead.set(address, known);
    return known;
  };
  return [...facts].flatMap(([file, { links, badData }]) => [
    ...links.filter(isDead).map((address) => `${file} links to ${address}, which is not there.`),
    ...(badData ? [`${file} carries structured data (JSON-LD) that cannot be read.`] : []),
  ]);
}
