import { paths } from '#paths.ts';
import { type BuiltPage, readPages } from '#scripts/publish/built-pages.ts';

/** Named by the specification without a page of its own; 404.html explains it (resolutions 5). */
const WITHOUT_PAGE = new Set<string>([paths.forgotPassword]);
/** Written when the release is published. */
const WRITTEN_LATER = new Set(['build-info.json']);

/** An address of this site in an attribute. In texts every quote is escaped, so a match is an attribute. */
const REFERENCE = /\s(?:href|src|action|poster)="(\/(?!\/)[^"]*)"/g;
const JSON_LD = /<script\s[^>]*application\/ld\+json[^>]*>([\s\S]*?)<\/script>/g;

/** Not part of the page until a script fills it in. */
const TEMPLATE = /<template[\s>][\s\S]*?<\/template>/g;

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

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

function pageChecker(files: ReadonlySet<string>) {
  const dead = new Map<string, boolean>();
  const isDead = (address: string): boolean => {
    const known = dead.get(address) ?? !resolves(address, files);
    dead.set(address, known);
    return known;
  };
  return ({ file, html }: BuiltPage): string[] => {
    const links = new Set(
      [...html.replace(TEMPLATE, '').matchAll(REFERENCE)].map(([, address = '']) => address),
    );
    const badData = [...html.matchAll(JSON_LD)].some(([, text = '']) => !isJson(text));
    return [
      ...[...links].filter(isDead).map((address) => `${file} links to ${address}, which is not there.`),
      ...(badData ? [`${file} carries structured data (JSON-LD) that cannot be read.`] : []),
    ];
  };
}

/** Internal links lead somewhere and JSON-LD parses, in every page. */
export async function checkPages(site: string, files: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  const check = pageChecker(new Set(files));
  for await (const page of readPages(site, files)) problems.push(...check(page));
  return problems;
}
