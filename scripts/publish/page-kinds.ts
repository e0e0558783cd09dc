import { BuildError } from './build-error.ts';
import { addressOf } from './built-pages.ts';
import type { PageKind } from './hosting.ts';
import { type InlineCode, noInlineCode } from './inline-code.ts';
import type { SiteFacts } from './page-facts.ts';
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

/** What the pages of a site need of its hosting. @throws where pages of one kind carry scripts of their own */
export function describePages(facts: SiteFacts, settings: SiteSettings): SitePages {
  const byKind = new Map<string, { first: string; code: InlineCode }>();
  const listed: string[] = [];
  for (const file of [...facts.keys()].sort()) {
    const page = facts.get(file);
    if (page === undefined) continue;
    const kind = kindOf(file);
    const known = byKind.get(kind) ?? { first: addressOf(file), code: noInlineCode() };
    byKind.set(kind, known);
    for (const source of page.scripts) known.code.scripts.add(source);
    for (const source of page.styles) known.code.styles.add(source);
    known.code.forbidden.push(...page.forbidden);
    ensureSameScripts(kind, known.code);
    if (file !== NOT_FOUND && !page.noindex) listed.push(addressOf(file));
  }
  const isFamily = (kind: string): boolean => kind.endsWith('*');
  // 404.html answers at an address of the family, and shows a product newer than the build in the family's own page.
  const shared = together(
    [...byKind].filter(([kind]) => isFamily(kind) || kind === NOT_FOUND).map(([, { code }]) => code),
  );
  const kinds = [...byKind]
    .filter(([kind]) => kind !== NOT_FOUND)
    .map(([kind, { first, code }]) => {
      const paths = pathsOf(kind, first);
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
