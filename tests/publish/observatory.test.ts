import { describe, expect, test } from 'vitest';
import { fileOf, PAGES } from '#page-table.ts';
import { headersFile } from '#scripts/publish/hosts/headers-file.ts';
import { contentSecurityPolicy } from '#scripts/publish/site/content-security-policy.ts';
import { headersOf, hostingOf } from '#scripts/publish/site/hosting.ts';
import { readSiteSettings } from '#scripts/publish/site/site-settings.ts';
import { headersFor, parseHeaders } from '#scripts/serve/headers-file.ts';

/*
 * The rules and scores of Mozilla's HTTP Observatory that depend on headers. They are written out here because its
 * package, `@mdn/mdn-http-observatory`, exports only `scan(hostname)`, which calls a live host on ports 80 and 443 and
 * needs lists that its install script downloads. Its rules for the connection (the redirect to https, the certificate,
 * the preload list) concern the host and count as 0 here.
 */

type ResponseHeaders = ReadonlyMap<string, string>;
type Rule = (headers: ResponseHeaders) => number;

const BROAD = ['ftp:', 'http:', 'https:', '*', 'http://*', 'http://*.*', 'https://*', 'https://*.*'];
const UNSAFE = [...BROAD, "'unsafe-inline'", 'data:'];
const SIX_MONTHS = 15_768_000;
const PRIVATE = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'];

const directivesOf = (headers: ResponseHeaders): Map<string, string[]> =>
  new Map(
    (headers.get('content-security-policy') ?? '')
      .split(';')
      .map((directive) => directive.trim().toLowerCase().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources] as const),
  );

const policy: Rule = (headers) => {
  if (!headers.has('content-security-policy')) return -25;
  const directives = directivesOf(headers);
  const sources = (name: string): string[] => directives.get(name) ?? directives.get('default-src') ?? ['*'];
  const has = (list: readonly string[], wanted: readonly string[]): boolean =>
    list.some((source) => wanted.includes(source));
  const isInsecure = (source: string): boolean => /^(?:http|ftp):/.test(source);
  const passive = [...sources('img-src'), ...sources('media-src')];
  const active = [...directives]
    .filter(([name]) => !['img-src', 'media-src'].includes(name))
    .flatMap(([, list]) => list);
  if (has(sources('script-src'), UNSAFE) || has(sources('object-src'), BROAD)) return -20;
  if (active.some(isInsecure)) return -20;
  if (has([...sources('script-src'), ...sources('style-src')], ["'unsafe-eval'"])) return -10;
  if (passive.some(isInsecure)) return -10;
  if (has(sources('style-src'), UNSAFE)) return 0;
  return directives.get('default-src')?.join(' ') === "'none'" ? 10 : 5;
};

const transport: Rule = (headers) => {
  const seconds = /^max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1];
  if (seconds === undefined) return -20;
  return Number(seconds) >= SIX_MONTHS ? 0 : -10;
};

const referrer: Rule = (headers) => {
  const value = headers.get('referrer-policy');
  if (value === undefined) return 0;
  return PRIVATE.includes(value) ? 5 : -5;
};

const framing: Rule = (headers) => {
  const ancestors = directivesOf(headers).get('frame-ancestors');
  if (ancestors && !ancestors.some((source) => BROAD.includes(source))) return 5;
  return /^(?:deny|sameorigin)$/i.test(headers.get('x-frame-options') ?? '') ? 0 : -20;
};

const resource: Rule = (headers) => {
  const value = headers.get('cross-origin-resource-policy');
  if (value === 'same-origin' || value === 'same-site') return 10;
  return value === undefined || value === 'cross-origin' ? 0 : -5;
};

const sniffing: Rule = (headers) => (headers.get('x-content-type-options') === 'nosniff' ? 0 : -5);
/** A static host sets no cookies: a script sets the shop's only one. */
const cookies: Rule = (headers) => (headers.has('set-cookie') ? -40 : 0);
/** Every script comes from the shop itself, so no script needs an integrity hash. */
const integrity: Rule = (headers) =>
  directivesOf(headers)
    .get('script-src')
    ?.every((source) => source.startsWith("'"))
    ? 0
    : -50;

const RULES: readonly Rule[] = [policy, transport, referrer, framing, resource, sniffing, cookies, integrity];
const BONUS_FROM = 90;

function scoreOf(headers: ResponseHeaders): number {
  const scores = RULES.map((rule) => rule(headers));
  const sum = (list: readonly number[]): number => list.reduce((total, score) => total + score, 0);
  const base = 100 + sum(scores.filter((score) => score < 0));
  return base >= BONUS_FROM ? base + sum(scores.filter((score) => score > 0)) : Math.max(base, 0);
}

const settings = readSiteSettings({
  PUBLIC_API_HOST: 'https://api.shop.example',
  PUBLIC_PAYMENT_HOSTS: 'pay.example',
});
const code = { scripts: new Set(["'sha256-abc'"]), styles: new Set(["'sha256-def'"]) };
const { notFound: _, ...served } = PAGES;
const kinds = Object.values(served).map((row) => ({
  files: fileOf(row),
  paths: row.path.endsWith('*') ? [row.path] : [row.path, `${row.path}.html`],
  policy: contentSecurityPolicy(code, settings, row.handsOver),
}));
const hosting = hostingOf(kinds, contentSecurityPolicy(code, settings), [], settings);
const responseHeaders = (path: string): ResponseHeaders =>
  headersFor(parseHeaders(headersFile(hosting)), path);
const notFound: ResponseHeaders = new Map(
  Object.entries(headersOf(hosting, '404.html')).map(([name, value]) => [name.toLowerCase(), value]),
);

describe('by the rules of the HTTP Observatory', () => {
  test.each(kinds.map(({ paths }) => paths[0]?.replace('*', 'mango') ?? ''))(
    '%s has 130 points or more',
    (path) => {
      expect(scoreOf(responseHeaders(path))).toBeGreaterThanOrEqual(130);
    },
  );

  test('the 404 page has 130 points or more', () => {
    expect(scoreOf(notFound)).toBeGreaterThanOrEqual(130);
  });

  test.each([
    [
      'content-security-policy',
      "default-src 'none'; script-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    ],
    ['content-security-policy', "default-src 'none'; script-src https:; frame-ancestors 'none'"],
    ['content-security-policy', "default-src 'none'; img-src http:; frame-ancestors 'none'"],
    ['content-security-policy', "default-src 'self'; frame-ancestors 'none'"],
    ['strict-transport-security', 'max-age=60'],
    ['referrer-policy', 'unsafe-url'],
    ['cross-origin-resource-policy', 'cross-origin'],
    ['x-content-type-options', 'none'],
    ['set-cookie', 'auth_token=x'],
  ])('%s: %s falls below', (name, value) => {
    expect(scoreOf(new Map([...responseHeaders('/cart'), [name, value]]))).toBeLessThan(130);
  });
});
