import { SPECULATION_RULES } from '#components/shell/speculation-rules.ts';
import { sourceOf } from './page-facts.ts';
import type { SiteSettings } from './site-settings.ts';

/** On localhost the site calls this API, whatever it was built for (resolutions 7). */
const LOCAL_API = 'http://localhost:8044';
/** The Trusted Types policy of src/components/shell/trusted-code.ts, the only place where a text becomes code. */
const TRUSTED_TYPES = 'shell';

/** The CSP sources of the inline code in pages. */
export interface InlineCode {
  readonly scripts: ReadonlySet<string>;
  readonly styles: ReadonlySet<string>;
}

export type Directives = readonly (readonly [name: string, ...sources: string[]])[];

function formAction({ plain, paymentHosts }: SiteSettings, isPayment: boolean): string[] {
  if (!isPayment) return ["'self'"];
  const remote = paymentHosts.length > 0 ? paymentHosts.map((host) => `https://${host}`) : ['https:'];
  return ["'self'", ...remote, ...(plain ? ['http:'] : [])];
}

/** The policy of a page. It allows the page's inline code by hash, and no other (faults 87). */
export function contentSecurityPolicy(
  inline: InlineCode,
  settings: SiteSettings,
  isPayment = false,
): Directives {
  const api = new Set(settings.plain ? [settings.apiOrigin, LOCAL_API] : [settings.apiOrigin]);
  return [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...[...inline.scripts, sourceOf(SPECULATION_RULES)].sort()],
    // Style sheets are inline in the pages. Later ones are added with adoptedStyleSheets, which style-src does not cover.
    ['style-src', ...(inline.styles.size > 0 ? [...inline.styles].sort() : ["'none'"])],
    // The catalogue's pictures may be on any host (resolutions 20b).
    ['img-src', "'self'", 'https:', ...(settings.plain ? ['http:'] : []), ...(isPayment ? ['data:'] : [])],
    ['connect-src', "'self'", ...api],
    ['font-src', "'self'"],
    ['form-action', ...formAction(settings, isPayment)],
    ['manifest-src', "'self'"],
    ['base-uri', "'none'"],
    ['frame-ancestors', "'none'"],
    ['require-trusted-types-for', "'script'"],
    ['trusted-types', TRUSTED_TYPES],
    ...(settings.plain ? [] : [['upgrade-insecure-requests'] as const]),
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
