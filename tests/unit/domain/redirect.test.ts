import { globSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { EXCLUDED } from '#components/shell/speculation-rules.ts';
import { POLICY_SLUGS } from '#domain/policy.ts';
import { safePath } from '#domain/redirect.ts';
import { encodePart, parseUrl, safeImage } from '#domain/url.ts';
import { fileOf, PAGES } from '#page-table.ts';
import { paths } from '#paths.ts';

const SITE = 'https://shop.example';

const REFUSED: Readonly<Record<string, readonly (string | null | undefined)[]>> = {
  'another host': ['//e', '///e', '////e', '//e.example/orders', '//user@e', '/.//e', '/..//e', '/a/..//e'],
  'a backslash': ['/\\e', '\\/e', '\\\\e', '/\\/e', '/\\\\e', '/a\\b'],
  'another scheme': [
    ...['https:e', 'https:/e', 'https://e', 'https:\\e', 'HTTPS://E', 'mailto:a@e', 'about:blank'],
  ],
  'what runs': ['javascript:alert(1)', 'JavaScript:x', ' javascript:x', 'java\tscript:x', 'vbscript:x'],
  'data and files': ['data:text/html,x', 'blob:https://e/1', 'file:///etc/passwd'],
  'encoded slashes': ['/%2f%2fe', '/%2F%2Fe', '/%2fe', '/%5ce', '/%5C%5Ce', '/%252f%252fe'],
  'control characters': [
    ...['/%09/e', '/%0a/e', '/%0d%0aSet-Cookie:x', '\t/e', '/\t/e', '/\n/e', '/\r\n/e', ' /e'],
  ],
  'other signs': ['/\u0000e', '/\u0085/e', '/./..//e'],
  'the sign-in itself': [
    ...['/login', '/login/', '/../login%2f', '/login #', '/login?from=/cart', '/login#x', '/Login'],
  ],
  'the sign-in, disguised': ['/login.html', '/%6cogin', '/cart/../login', '/register', '/register?x'],
  'no path': ['', 'cart', './cart', '?x', '#x', null, undefined],
};

it.each(Object.entries(REFUSED))('a remembered path that is %s becomes the home page: %j', (_what, list) => {
  expect(list.map((path) => safePath(path))).toEqual(list.map(() => '/'));
});

it.each([
  ...['/', '/cart', '/checkout', '/orders', '/payment?orderId=7f3e21ab-0000-4000-8000-000000000000'],
  ...['/products?category=tropical%20fruits&page=2', '/products?category=a%26b%2F100%25'],
  ...['/product/%F0%9F%8D%8A', '/track-order?id=1#form', '/login-help'],
])('%s is accepted', (path) => expect(safePath(path)).toBe(path));

it('a remembered path never leaves the site, for 20,000 generated addresses', () => {
  const piece = fc.constantFrom(
    ...['/', '//', '\\', 'e', 'e.example', ':', 'https:', 'javascript:', 'data:', '%2f', '%5c', '%09'],
    ...['%252f', '\t', '\n', '\r', ' ', '@', '?', '#', '.', '..', '%2e', 'login', '\u0000', '\u202e'],
    ...['：', '／', '[', ']'],
  );
  const address = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        address,
        address.map((rest) => `/${rest}`),
        fc.string(),
      ),
      (text) => {
        const path = safePath(text);
        const url = new URL(path, `${SITE}/login`);
        expect(url.origin).toBe(SITE);
        expect(url.pathname.startsWith('//')).toBe(false);
        expect(path.startsWith('/') && !path.startsWith('//')).toBe(true);
        expect(url.pathname).not.toBe('/login');
        expect(safePath(path)).toBe(path);
      },
    ),
    { numRuns: 20_000 },
  );
});

it.each([
  ...['javascript:x', 'data:image/svg+xml,x', '//host/a.png', 'file:///a'],
  `https://a/${'x'.repeat(2_048)}`,
  1,
  null,
])('a picture %j is refused', (address) => expect(safeImage(address)).toBe(''));

it('a picture is used as the server sent it', () => {
  expect(safeImage(' https://a.example/Ä b.png ')).toBe('https://a.example/Ä b.png');
});

test.each([
  ['a&b/100% 🍊', 'a&b/100% 🍊'],
  ['ä ?#', 'ä ?#'],
  ['\u202ex', '\u202ex'],
  ['__proto__', '__proto__'],
  ['a\ud83cb🍊', 'ab🍊'],
  ['mango \udf4a', 'mango '],
])('%j goes through an address as %j', (text, decoded) => {
  expect(parseUrl(`https://shop.example/?q=${encodePart(text)}`)?.searchParams.get('q')).toBe(decoded);
  for (const path of [paths.category(text), paths.product(text), paths.payment(text), paths.searchFor(text)])
    expect(parseUrl(path, SITE)?.origin).toBe(SITE);
});

test('an invalid URL is undefined', () => {
  expect(parseUrl('http://[')).toBeUndefined();
  expect(parseUrl('/x')).toBeUndefined();
  expect(parseUrl('/x', SITE)?.href).toBe(`${SITE}/x`);
});

const rows = Object.values(PAGES);

/** The built files of a route whose name differs from the route. */
const BUILT: Readonly<Record<string, readonly string[]>> = {
  '[policy]': POLICY_SLUGS.map((slug) => `${slug}.html`),
  'product/[id]': ['product/*'],
};

test('every file of src/pages has a row in the page table, and every row a file', () => {
  const files = globSync('**/*.astro', { cwd: 'src/pages' }).flatMap((file) => {
    // A route with an optional path has one page or none, depending on a setting or a capability.
    const route = file.replace(/(?:\/\[\.\.\.page\])?\.astro$/, '');
    return BUILT[route] ?? `${route}.html`;
  });
  expect(rows.map(fileOf).toSorted()).toEqual(files.toSorted());
});

test('speculation rules exclude exactly the personal pages', () => {
  const excluded = EXCLUDED.map((pattern) => new RegExp(`^${pattern.replace('*', '.*')}$`));
  const isExcluded = (path: string) => excluded.some((pattern) => pattern.test(path));
  const personal = rows.filter(({ isPersonal }) => isPersonal);
  expect(rows.filter(({ path }) => isExcluded(path))).toEqual(personal);
  expect(excluded.filter((pattern) => !personal.some(({ path }) => pattern.test(path)))).toEqual([]);
});
