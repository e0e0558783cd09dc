import { expect, test } from 'vitest';
import {
  isBuiltPage,
  isCacheable,
  isDataPage,
  isOfItsKind,
  isSamePage,
  isSmall,
  keyOf,
  kindOf,
} from '#service-worker/rules.ts';

const SHOP = 'https://shop.example';

test.each([
  ['/api/v1/products', true, undefined],
  ['/api/v1/products', false, undefined],
  ['/admin', true, undefined],
  ['/admin/orders/1', true, undefined],
  ['/admin/assets/admin.css', false, undefined],
  ['/gateway/upi', true, undefined],
  ['/officers', true, 'page'],
  ['/build-info.json', false, undefined],
  ['/_astro/dictionary.k3Jf.txt', false, undefined],
  ['/sw.js', false, undefined],
  ['/product/p1', true, 'page'],
  ['/products?page=2', true, 'page'],
  ['/_astro/cart.a1b2.js', false, 'code'],
  ['/_astro/figtree.a1b2.woff2', false, 'code'],
  ['/_astro/img/mango-320.avif', false, 'picture'],
  ['/listing/all/2.json', false, 'data'],
])('%s (a page: %s) is %s', (path, isPage, kind) => expect(kindOf(new URL(path, SHOP), isPage)).toBe(kind));

const whole = { status: 200, type: 'basic', redirected: false } as const;
test.each([
  ['a whole answer', {}, '', true],
  ['partial content', { status: 206 }, '', false],
  ['an error', { status: 503 }, '', false],
  ['a missing page', { status: 404 }, '', false],
  ['an answer nobody may read', { status: 0, type: 'opaque' }, '', false],
  ['a redirect', { status: 0, type: 'opaqueredirect' }, '', false],
  ['what a redirect led to', { redirected: true }, '', false],
  ['an answer of another origin', { type: 'cors' }, '', false],
  ['what must be revalidated', {}, 'no-cache', true],
  ['what is immutable', {}, 'public, max-age=31536000, immutable', true],
  ['what may not be stored', {}, 'no-store', false],
  ['what is private', {}, 'max-age=60, Private', false],
] as const)('%s', (_, change, cacheControl, isStored) => {
  const headers = new Headers(cacheControl ? { 'cache-control': cacheControl } : {});
  expect(isCacheable({ ...whole, ...change, headers })).toBe(isStored);
});

const PAGE = '<script type="module" src="/_astro/Shell.a1.js"></script>';
const SIGN_IN = '<h1>Sign in to this network</h1>';

test('an empty answer is of no kind', async () => {
  const headers = { 'content-type': 'text/javascript', 'content-length': '0' };
  expect(await isOfItsKind(new Response('', { headers }), new URL('/_astro/cart.a1.js', SHOP))).toBe(false);
});

test.each([
  ['/_astro/cart.a1.js', 'text/javascript', '', true],
  ['/_astro/cart.a1.js', 'text/html', SIGN_IN, false],
  ['/_astro/cart.a1.js', undefined, '', false],
  ['/_astro/figtree.a1.woff2', 'application/octet-stream', '', true],
  ['/_astro/figtree.a1.woff2', 'text/html', SIGN_IN, false],
  ['/_astro/img/mango.avif', 'image/avif', '', true],
  ['/favicon.svg', 'text/html', SIGN_IN, false],
  ['/listing/all/2.json', 'application/json; charset=utf-8', '{"products":[]}', true],
  ['/listing/all/2.json', 'application/json', '{"products":[', false],
  ['/listing/all/2.json', 'application/json', '"blocked"', false],
  ['/listing/all/2.json', 'text/html', SIGN_IN, false],
  ['/', 'text/html', PAGE, true],
  ['/product/p1.js', 'text/html; charset=utf-8', PAGE, true],
  ['/offline.html', 'text/html', SIGN_IN, false],
  ['/cart', 'text/html', SIGN_IN, false],
  ['/cart', 'application/json', '{"error":"blocked"}', false],
])('%s as %s with %s is of its kind: %s', async (path, type, body, isFitting) => {
  const response = new Response(body, { headers: type === undefined ? {} : { 'content-type': type } });
  if (type === undefined) response.headers.delete('content-type');
  expect(await isOfItsKind(response, new URL(path, SHOP))).toBe(isFitting);
});

test.each([
  ['/', true],
  ['/cart?from=share', true],
  ['/product/p%201', true],
  ['/cart/', false],
  ['/admin', false],
])('stores only built %s is %s', (path, isStored) => {
  expect(isBuiltPage(SHOP + path, ['/', '/cart'])).toBe(isStored);
});

test('cache keys have no query, which may hold order numbers', () => {
  expect(keyOf(`${SHOP}/payment?orderId=secret#top`)).toBe(`${SHOP}/payment`);
});

test.each([
  ['1000', true],
  ['204800', true],
  ['204801', false],
  [undefined, false],
])('a picture of %s bytes: %s', (length, small) => {
  const headers = new Headers(length === undefined ? {} : { 'content-length': length });
  expect(isSmall(new Response(null, { headers }))).toBe(small);
});

const withTag = (etag: string) => new Response('', { headers: { etag } });

test.each([
  ['with the same tag', withTag('"a"'), withTag('"a"'), true],
  ['with the same tag, weak after compression', withTag('"a"'), withTag('W/"a"'), true],
  ['not with another tag', withTag('"a"'), withTag('"b"'), false],
  ['not without a tag', new Response(''), new Response(''), false],
  ['not without a cached copy', undefined, withTag('"a"'), false],
])('a page is the same as the cached copy %s', (_, cached, fresh, same) =>
  expect(isSamePage(cached, fresh)).toBe(same),
);

test('only the listing shows listing data', () => {
  expect(isDataPage(`${SHOP}/products?category=berries`)).toBe(true);
  expect(isDataPage(`${SHOP}/product/p1`)).toBe(false);
});
