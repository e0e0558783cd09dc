import { BuildError } from './build-error.ts';
import { type BuiltPage, readPages } from './built-pages.ts';
import type { PageKind } from './hosting.ts';
import { collectInlineCode, type InlineCode, noInlineCode } from './inline-code.ts';
import { contentSecurityPolicy, type Directives } from './policy.ts';
import type { SiteSettings } from './site-settings.ts';

/** Folders of many pages that are of one kind. */
const FAMILIES = ['product/'];
/** More than a template can have: then a product's own text became code. */
const FAMILY_SCRIPTS = 20;

export const NOT_FOUND = '404.html';

export const kindOf = (file: string): string => {
  const family = FAMILIES.find((folder) => file.startsWith(folder));
  return family === undefined ? file : `${family}*`;
};

const ROBOTS = /<meta\s+name="robots"\s+content="[^"]*noindex/i;

const isNoindex = (html: string): boolean => ROBOTS.test(html.slice(0, html.indexOf('<body')));

export interface SitePages {
  readonly kinds: readonly PageKind[];
  readonly notFoundPolicy: Directives;
  /** Addresses that search engines may list. */
  readonly listed: readonly string[];
  /** Tags that the policy will refuse, with their page. */
  readonly forbidden: readonly string[];
}

const pathsOf = (file: string, path: string): string[] => {
  if (file.endsWith('*')) return [`/${file}`];
  return path === '/' ? ['/', '/index.html'] : [path, `${path}.html`];
};

function ensureSameScripts(kind: string, { scripts }: InlineCode): void {
  if (!kind.endsWith('*') || scripts.size <= FAMILY_SCRIPTS) return;
  throw new BuildError(
    `The pages of ${kind} carry ${scripts.size} different inline scripts: text of a product became code. Nothing was published.`,
  );
}

const together = (codes: readonly InlineCode[]): Pick<InlineCode, 'scripts' | 'styles'> => ({
  scripts: new Set(codes.flatMap(({ scripts }) => [...scripts])),
  styles: new Set(codes.flatMap(({ styles }) => [...styles])),
});

/** Reads every built page once. @throws where pages of one kind carry scripts of their own */
export async function readSitePages(
  directory: string,
  files: readonly string[],
  settings: SiteSettings,
): Promise<SitePages> {
  const byKind = new Map<string, { first: BuiltPage; code: InlineCode }>();
  const listed: string[] = [];
  for await (const page of readPages(directory, files)) {
    const kind = kindOf(page.file);
    const known = byKind.get(kind) ?? { first: page, code: noInlineCode() };
    byKind.set(kind, known);
    collectInlineCode(page.html, known.code);
    ensureSameScripts(kind, known.code);
    if (page.file !== NOT_FOUND && !isNoindex(page.html)) listed.push(page.path);
  }
  const isFamily = (kind: string): boolean => kind.endsWith('*');
  // 404.html answers at an address of the family, and shows a product newer than the build in the family's own page.
  const shared = together(
    [...byKind].filter(([kind]) => isFamily(kind) || kind === NOT_FOUND).map(([, { code }]) => code),
  );
  const kinds = [...byKind]
    .filter(([kind]) => kind !== NOT_FOUND)
    .map(([kind, { first, code }]) => {
      const paths = pathsOf(kind, first.path);
      const inline = isFamily(kind) ? shared : code;
      return { files: kind, paths, policy: contentSecurityPolicy(inline, settings, paths[0] === '/payment') };
    });
  return {
    kinds,
    notFoundPolicy: contentSecurityPolicy(shared, settings),
    listed,
    forbidden: [...byKind].flatMap(([kind, { code }]) => code.forbidden.map((tag) => `${kind}: ${tag}`)),
  };
}
