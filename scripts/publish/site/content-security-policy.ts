import { SPECULATION_RULES } from '#components/shell/speculation-rules.ts';
import { fileOf, PAGES, rowOf } from '#page-table.ts';
import { BuildError } from '#server/process/explained-error.ts';
import { LOCAL_API, type SiteSettings } from '#server/settings/settings.ts';
import { addressOf } from './built-pages.ts';
import { type PageFacts, type SiteFacts, sourceOf } from './page-facts.ts';

/** The name of the only Trusted Types policy, which src/components/shell/trusted-code.ts creates. */
const TRUSTED_TYPES = 'shell';

/** The CSP sources (`'sha256-…'`) of the inline code in pages. */
export interface InlineCode {
  readonly scripts: ReadonlySet<string>;
  readonly styles: ReadonlySet<string>;
}

/** A kind of page: one file such as `cart.html`, or the family `product/*`. */
export interface PageKind {
  readonly files: string;
  readonly policy: Directives;
}

export type Directives = readonly (readonly [name: string, ...sources: string[]])[];

function formAction({ allowsHttp, paymentHosts }: SiteSettings, isPayment: boolean): string[] {
  if (!isPayment) return ["'self'"];
  const remote = paymentHosts.length > 0 ? paymentHosts.map((host) => `https://${host}`) : ['https:'];
  return ["'self'", ...remote, ...(allowsHttp ? ['http:'] : [])];
}

/** Returns the policy of a page. It allows the page's inline code by hash, and no other inline code. */
export function contentSecurityPolicy(
  inline: InlineCode,
  settings: SiteSettings,
  isPayment = false,
): Directives {
  const api = new Set(settings.allowsHttp ? [settings.apiOrigin, LOCAL_API] : [settings.apiOrigin]);
  return [
    ['default-src', "'none'"],
    // A script adds the speculation rules to the page, so `inline` does not contain them.
    ['script-src', "'self'", ...[...inline.scripts, sourceOf(SPECULATION_RULES)].sort()],
    // Style sheets are inline in the pages. Later ones are added with adoptedStyleSheets, which style-src does not cover.
    ['style-src', ...(inline.styles.size > 0 ? [...inline.styles].sort() : ["'none'"])],
    // The catalogue's images may be on any host.
    [
      'img-src',
      "'self'",
      'https:',
      ...(settings.allowsHttp ? ['http:'] : []),
      ...(isPayment ? ['data:'] : []),
    ],
    ['connect-src', "'self'", ...api],
    ['font-src', "'self'"],
    ['form-action', ...formAction(settings, isPayment)],
    ['manifest-src', "'self'"],
    ['base-uri', "'none'"],
    ['frame-ancestors', "'none'"],
    ['require-trusted-types-for', "'script'"],
    ['trusted-types', TRUSTED_TYPES],
    ...(settings.allowsHttp ? [] : [['upgrade-insecure-requests'] as const]),
  ];
}

export const policyText = (directives: Directives): string =>
  directives.map((directive) => directive.join(' ')).join('; ');

/** Browsers ignore this directive in a meta tag, and log a warning. */
const HEADER_ONLY = 'frame-ancestors';

/** Adds the policy to a page as a meta tag, for hosts that cannot send it as a header with every page. */
export function withMetaPolicy(html: string, directives: Directives): string {
  const text = policyText(directives.filter(([name]) => name !== HEADER_ONLY));
  const tag = `<meta http-equiv="content-security-policy" content="${text}">`;
  return html.replace(/<head(?:\s[^>]*)?>(?:\s*<meta charset=[^>]*>)?/i, (head) => head + tag);
}

const FAMILIES = Object.values(PAGES)
  .map(fileOf)
  .filter((file) => file.endsWith('*'));

/** A template never has more scripts. If the pages of a family have more, a product's text became code. */
const MAX_FAMILY_SCRIPTS = 20;

export const NOT_FOUND = fileOf(PAGES.notFound);

export const kindOf = (file: string): string =>
  FAMILIES.find((family) => file.startsWith(family.slice(0, -1))) ?? file;

export interface SitePages {
  readonly kinds: readonly PageKind[];
  readonly notFoundPolicy: Directives;
  /** The addresses that search engines may list. */
  readonly listed: readonly string[];
  /** Tags that the policy will block, each with its kind of page. */
  readonly forbidden: readonly string[];
}

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

/** Returns what the pages need from their host. @throws BuildError for too many inline scripts */
export function describePages(facts: SiteFacts, settings: SiteSettings): SitePages {
  const files = [...facts.keys()].sort();
  const factsOf = (pages: readonly string[] = []): PageFacts[] =>
    pages.flatMap((file) => facts.get(file) ?? []);
  const byKind = Map.groupBy(files, kindOf);
  // 404.html is served at /product/… for products newer than the build, and shows them with the product page's own
  // code. So it shares one policy with the product pages.
  const shared = codeOf(
    [...byKind].flatMap(([kind, kindFiles]) =>
      isFamily(kind) || kind === NOT_FOUND ? factsOf(kindFiles) : [],
    ),
  );
  const kinds = [...byKind].flatMap(([kind, kindFiles]) => {
    const own = codeOf(factsOf(kindFiles));
    refuseTooManyScripts(kind, own);
    if (kind === NOT_FOUND) return [];
    const policy = contentSecurityPolicy(isFamily(kind) ? shared : own, settings, rowOf(kind)?.handsOver);
    return [{ files: kind, policy }];
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
