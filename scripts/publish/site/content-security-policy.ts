import { SPECULATION_RULES } from '#components/shell/speculation-rules.ts';
import { fileOf, PAGES, rowOf } from '#page-table.ts';
import { BuildError } from '#server/process/explained-error.ts';
import { LOCAL_API, type SiteSettings } from '#server/settings/settings.ts';
import { type PageFacts, type SiteFacts, sourceOf } from './page-facts.ts';

/** The name of the only Trusted Types policy, which src/components/shell/trusted-code.ts creates. */
const TRUSTED_TYPES = 'shell';

/** The CSP sources (`'sha256-…'`) of the inline code in pages. */
export interface InlineCode {
  readonly scripts: ReadonlySet<string>;
  readonly styles: ReadonlySet<string>;
}

/** The sources of each directive. */
export type Directives = Readonly<Record<string, readonly string[]>>;

/** Returns the policy of a page. It allows the page's inline code by hash, and no other inline code. */
export function contentSecurityPolicy(
  inline: InlineCode,
  { allowsHttp, apiOrigin }: SiteSettings,
  isPayment = false,
): Directives {
  const http = allowsHttp ? ['http:'] : [];
  return {
    'default-src': ["'none'"],
    // A script adds the speculation rules to the page, so `inline` does not contain them.
    'script-src': ["'self'", ...[...inline.scripts, sourceOf(SPECULATION_RULES)].sort()],
    // Style sheets are inline in the pages. Later rules are added to these sheets (src/components/markup.ts), which style-src does not cover.
    'style-src': inline.styles.size > 0 ? [...inline.styles].sort() : ["'none'"],
    // The catalogue's images may be on any host.
    'img-src': ["'self'", 'https:', ...http, ...(isPayment ? ['data:'] : [])],
    'connect-src': ["'self'", ...new Set(allowsHttp ? [apiOrigin, LOCAL_API] : [apiOrigin])],
    'font-src': ["'self'"],
    // Not PUBLIC_PAYMENT_HOSTS: Chrome and Safari would also stop a gateway that redirects to a bank, and Firefox would not.
    // The payment page itself checks the host to which it posts (src/domain/payment-target.ts).
    'form-action': ["'self'", ...(isPayment ? ['https:', ...http] : [])],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [TRUSTED_TYPES],
    ...(allowsHttp ? {} : { 'upgrade-insecure-requests': [] }),
  };
}

export const policyText = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');

/** Adds the policy to a page as a meta tag, for hosts that cannot send it as a header with every page. */
export function withMetaPolicy(html: string, directives: Directives): string {
  // Browsers ignore this directive in a meta tag, and log a warning.
  const { 'frame-ancestors': _, ...others } = directives;
  const tag = `<meta http-equiv="content-security-policy" content="${policyText(others)}">`;
  return html.replace(/<head(?:\s[^>]*)?>(?:\s*<meta charset=[^>]*>)?/i, (head) => head + tag);
}

const FAMILIES = Object.values(PAGES)
  .map(fileOf)
  .filter((file) => file.endsWith('*'));

/** The templates never have more scripts. If the product pages have more, a product's text became code. */
const MAX_SHARED_SCRIPTS = 20;

export const NOT_FOUND = fileOf(PAGES.notFound);

export const kindOf = (file: string): string =>
  FAMILIES.find((family) => file.startsWith(family.slice(0, -1))) ?? file;

const codeOf = (pages: readonly [file: string, facts: PageFacts][]): InlineCode => ({
  scripts: new Set(pages.flatMap(([, { scripts }]) => scripts)),
  styles: new Set(pages.flatMap(([, { styles }]) => styles)),
});

export type Policies = ReadonlyMap<string, Directives>;

/** Returns the policy of each kind of page: a file, or the family `product/*`. @throws BuildError for too many scripts */
export function policiesOf(facts: SiteFacts, settings: SiteSettings): Policies {
  const pagesByKind = Map.groupBy(facts, ([file]) => kindOf(file));
  // 404.html is served at /product/… for products newer than the build, and shows them with the product page's own
  // code. So it shares one policy with the product pages.
  const isShared = (kind: string): boolean => kind.endsWith('*') || kind === NOT_FOUND;
  const shared = codeOf([...pagesByKind].flatMap(([kind, pages]) => (isShared(kind) ? pages : [])));
  if (shared.scripts.size > MAX_SHARED_SCRIPTS) {
    throw new BuildError(
      `The pages of products carry ${shared.scripts.size} different inline scripts: text of a product became code. Nothing was published.`,
    );
  }
  return new Map(
    [...pagesByKind].map(([kind, pages]) => {
      const code = isShared(kind) ? shared : codeOf(pages);
      return [kind, contentSecurityPolicy(code, settings, rowOf(kind)?.handsOver)];
    }),
  );
}
