import { SPECULATION_RULES } from '#components/shell/speculation-rules.ts';
import { LOCAL_API, type SiteSettings } from '#scripts/settings/settings.ts';
import { sourceOf } from './page-facts.ts';

/** The name of the only Trusted Types policy, which src/components/shell/trusted-code.ts creates. */
const TRUSTED_TYPES = 'shell';

/** The CSP sources (`'sha256-…'`) of the inline code in pages. */
export interface InlineCode {
  readonly scripts: ReadonlySet<string>;
  readonly styles: ReadonlySet<string>;
}

export type Directives = readonly (readonly [name: string, ...sources: string[]])[];

function formAction({ allowsHttp, paymentHosts }: SiteSettings, isPayment: boolean): string[] {
  if (!isPayment) return ["'self'"];
  const remote = paymentHosts.length > 0 ? paymentHosts.map((host) => `https://${host}`) : ['https:'];
  return ["'self'", ...remote, ...(allowsHttp ? ['http:'] : [])];
}

/** The policy of a page. It allows the page's inline code by hash, and no other inline code. */
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
    // The catalogue's pictures may be on any host.
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
