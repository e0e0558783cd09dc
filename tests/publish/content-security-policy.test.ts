import { describe, expect, test } from 'vitest';
import { robotsFile, sitemapFile } from '#scripts/publish/build-site.ts';
import { headersFile } from '#scripts/publish/hosts/netlify.ts';
import { addressOf } from '#scripts/publish/site/built-pages.ts';
import {
  contentSecurityPolicy,
  policyText,
  withMetaPolicy,
} from '#scripts/publish/site/content-security-policy.ts';
import { hostingOf } from '#scripts/publish/site/hosting.ts';
import { factsOf } from '#scripts/publish/site/page-facts.ts';
import { readHeaders } from '#scripts/serve/server.ts';
import { readSiteSettings } from '#server/settings/settings.ts';

const scriptsOf = (html: string): readonly string[] => factsOf(html).scripts;
const noCode = { scripts: new Set<string>(), styles: new Set<string>() };

test('the inline code of a page is what runs: classic scripts, modules and speculation rules, but neither data nor files', () => {
  expect(scriptsOf('<script>1</script><script type="module">2</script>')).toHaveLength(2);
  expect(scriptsOf('<script type="speculationrules">{}</script>')).toHaveLength(1);
  const data = '<script type="application/ld+json">{}</script><script type="application/json">1</script>';
  expect(scriptsOf(`<script src="/_astro/a.js"></script>${data}`)).toEqual([]);
  expect(factsOf('<style>a{}</style><noscript><style>b{}</style></noscript>').styles).toHaveLength(2);
});

test('it is never part of an attribute: a title cannot allow its own script', () => {
  const ours = '<script>ours()</script>';
  expect(scriptsOf(`<img alt="<script>alert(1)</script>">${ours}`)).toEqual(scriptsOf(ours));
  expect(scriptsOf(`<a title='<script>alert(1)</script>'></a>`)).toEqual([]);
  expect(factsOf('<p title="<style>*{}</style>">').styles).toEqual([]);
});

test.each([
  ['<p style="color:red">', 1],
  ['<p onclick="x()">', 1],
  ['<p title=" onclick=1 style=2" data-style="x">', 0],
])('as attributes it is refused: %s has %i', (html, count) => {
  expect(factsOf(html).forbidden).toHaveLength(count);
});

const LIVE = { PUBLIC_API_HOST: 'https://api.shop.example/' };

describe('the policy', () => {
  const text = (env: Record<string, string>, isPayment = false): string =>
    policyText(contentSecurityPolicy(noCode, readSiteSettings(env), isPayment));

  test('lets a gateway redirect payment forms in every browser, and only payment pages show data: pictures', () => {
    expect(text({ ...LIVE, PUBLIC_PAYMENT_HOSTS: 'pay.example' }, true)).toContain(
      "form-action 'self' https:;",
    );
    expect(text(LIVE, true)).toContain("form-action 'self' https:;");
    expect(text(LIVE)).toContain("form-action 'self';");
    expect(text(LIVE)).toContain("img-src 'self' https:;");
    expect(text(LIVE, true)).toContain("img-src 'self' https: data:;");
    expect(() => text({ ...LIVE, PUBLIC_PAYMENT_HOSTS: "x; script-src 'unsafe-inline'" })).toThrow(
      'PUBLIC_PAYMENT_HOSTS',
    );
  });

  test('allows plain http only for an API on this computer or in its network', () => {
    expect(text(LIVE)).toMatch(/connect-src 'self' https:\/\/api\.shop\.example;.*upgrade-insecure-requests/);
    expect(text(LIVE)).not.toContain('http:');
    expect(text({})).toContain("connect-src 'self' http://localhost:8044;");
    expect(text({})).not.toContain('upgrade-insecure-requests');
    expect(text({ PUBLIC_API_HOST: 'http://192.168.1.7:8044' })).toContain(
      "connect-src 'self' http://192.168.1.7:8044 http://localhost:8044;",
    );
  });

  test('is in the page before everything that it applies to', () => {
    const policy = contentSecurityPolicy(noCode, readSiteSettings(LIVE));
    const html = withMetaPolicy('<html><head><meta charset="utf-8"><script>1</script></head></html>', policy);
    expect(html).toMatch(
      /^<html><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="default/,
    );
    expect(html).not.toContain('frame-ancestors');
  });
});

test.each([
  [{}, 'max-age=15768000'],
  [{ HSTS: 'max-age=63072000; includeSubDomains' }, 'max-age=63072000; includeSubDomains'],
  [{ HSTS: 'off' }, undefined],
  [{ PUBLIC_API_HOST: 'http://localhost:8044' }, undefined],
])('with %j, the header Strict-Transport-Security is %s', (env, value) => {
  const settings = readSiteSettings({ ...LIVE, ...env });
  const { everywhere } = hostingOf(new Map(), [], settings);
  expect(everywhere['Strict-Transport-Security']).toBe(value);
});

describe('the hosting', () => {
  const settings = readSiteSettings(LIVE);
  const policy = contentSecurityPolicy(noCode, settings);
  const kinds = ['index.html', 'payment.html', 'track-order.html', 'product/*', '404.html'];
  const policies = new Map(kinds.map((kind) => [kind, policy]));
  const hosting = hostingOf(policies, ['sw.js', 'favicon.svg', 'robots.txt'], settings);

  const sent = (path: string, name: string) => readHeaders(headersFile(hosting))(path).get(name);

  test('gives an address one value of each header, although several rules may match', () => {
    const pages = ['/', '/index.html', '/payment', '/product/a', '/product/a.html', '/404'];
    for (const path of pages) {
      expect(sent(path, 'Content-Security-Policy'), path).toBe(policyText(policy));
      expect(sent(path, 'X-Frame-Options'), path).toBe('DENY');
    }
  });

  test('lets assets be cached for a year, and the service worker not at all', () => {
    expect(sent('/_astro/a.js', 'Cache-Control')).toBe('public, max-age=31536000, immutable');
    for (const path of ['/sw.js', '/', '/product/x', '/404', '/build-info.json'])
      expect(sent(path, 'Cache-Control'), path).toBe('no-cache');
  });

  test('sends no order number or contact to other sites', () => {
    expect(sent('/track-order', 'Referrer-Policy')).toBe('no-referrer');
    expect(sent('/payment', 'Referrer-Policy')).toBe('strict-origin');
  });
});

test('the sitemap has the addresses that a browser requests, and robots.txt names it', () => {
  const files = ['index.html', 'cart.html', 'product/a b.html', 'docs/index.html'];
  expect(files.map(addressOf)).toEqual(['/', '/cart', '/product/a%20b', '/docs']);
  expect(sitemapFile('https://shop.example', ['/', '/product/a&b'])).toContain(
    '<loc>https://shop.example/</loc></url>\n<url><loc>https://shop.example/product/a&#38;b</loc>',
  );
  expect(robotsFile('https://shop.example')).toContain('Sitemap: https://shop.example/sitemap.xml');
});
