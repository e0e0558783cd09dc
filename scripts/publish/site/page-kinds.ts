import { fileOf, PAGES, rowOf } from '#page-table.ts';
import { BuildError } from '#scripts/program/explained-error.ts';
import type { SiteSettings } from '#scripts/settings/settings.ts';
import { addressOf } from './built-pages.ts';
import { contentSecurityPolicy, type Directives, type InlineCode } from './content-security-policy.ts';
import type { PageKind } from './hosting.ts';
import type { PageFacts, SiteFacts } from './page-facts.ts';

/** Folders in which all pages are of one kind. */
const FAMILIES = Object.values(PAGES)
  .map(fileOf)
  .filter((file) => file.endsWith('*'));

/** A template never has more scripts. If the pages of a family have more, the text of a product became code. */
const MAX_FAMILY_SCRIPTS = 20;

export const NOT_FOUND = fileOf(PAGES.notFound);

export const kindOf = (file: string): string =>
  FAMILIES.find((family) => file.startsWith(family.slice(0, -1))) ?? file;

export interface SitePages {
  readonly kinds: readonly PageKind[];
  readonly notFoundPolicy: Directives;
  /** The addresses that search engines may list. */
  readonly listed: readonly string[];
  /** The tags that the policy will refuse, each with its kind of page. */
  readonly forbidden: readonly string[];
}

const pathsOf = (file: string, path: string): string[] => {
  if (file.endsWith('*')) return [`/${file}`];
  return path === '/' ? ['/', '/index.html'] : [path, `${path}.html`];
};

function refuseTooManyScripts(kind: string, { scripts }: InlineCode): void {
  if (!kind.endsWith('*') || scripts.size <= MAX_FAMILY_SCRIPTS) return;
  throw new BuildError(
    `The pages of ${kind} carry ${scripts.size} different inline scripts: text of a product became code. Nothing was published.`,
  );
}

const codeOf = (pages: readonly Pick<PageFacts, 'scripts' | 'styles'>[]): InlineCode => ({
  scripts: new Set(pages.flatMap(({ scripts }) => scripts)),
  styles: new Set(pages.flatMap(({ styles }) => styles)),
});

const isFamily = (kind: string): boolean => kind.endsWith('*');

/**
 * Describes what the pages of a site need from their host.
 * @throws BuildError when product pages carry more than 20 different inline scripts
 */
export function describePages(facts: SiteFacts, settings: SiteSettings): SitePages {
  const files = [...facts.keys()].sort();
  const factsOf = (pages: readonly string[] = []): PageFacts[] =>
    pages.flatMap((file) => facts.get(file) ?? []);
  const byKind = Map.groupBy(files, kindOf);
  // 404.html is served at /product/… for products newer than the build and shows them with the product page's own code.
  // It shares one policy with the product pages.
  const shared = codeOf(
    [...byKind].flatMap(([kind, kindFiles]) =>
      isFamily(kind) || kind === NOT_FOUND ? factsOf(kindFiles) : [],
    ),
  );
  const kinds = [...byKind].flatMap(([kind, kindFiles]) => {
    const [first = ''] = kindFiles;
    const own = codeOf(factsOf(kindFiles));
    refuseTooManyScripts(kind, own);
    if (kind === NOT_FOUND) return [];
    const paths = pathsOf(kind, addressOf(first));
    const policy = contentSecurityPolicy(isFamily(kind) ? shared : own, settings, rowOf(kind)?.handsOver);
    return [{ files: kind, paths, policy }];
  });
  return {
    kinds,
    notFoundPolicy: contentSecurityPolicy(shared, settings),
    listed: files.filter((file) => file !== NOT_FOUND && !facts.get(file)?.noindex).map(addressOf),
    forbidden: [...facts].flatMap(([file, { forbidden }]) =>
      forbidden.map((tag) => `${kindOf(file)}: ${tag}`),
    ),
  };
}
