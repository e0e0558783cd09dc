import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import * as CURRENCY from '#domain/currency.ts';
import { formatRupees } from '#domain/money.ts';
import { POLICIES, POLICY_SLUGS } from '#domain/policy.ts';
import { policyHtmlOf } from '#domain/policy-markdown.ts';
import type { Product } from '#domain/product.ts';
import { productTexts } from '#domain/product-texts.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { PAGES } from '#page-table.ts';
import { paths } from '#paths.ts';
import type { RunningApi } from '#server/app/start.ts';
import { startTestApi } from '#tests/support/api.ts';
import { testSite } from '#tests/support/build-site.ts';
import { createShopClient } from '#tests/support/shop-client.ts';

/* Tests the HTML of a built site, without running scripts. */

const SITE = 'https://freshfruits.example';

let api: RunningApi;
let store: StoreInfo;
let products: readonly Product[];

beforeAll(async () => {
  api = await startTestApi();
  const client = createShopClient(api);
  store = v.parse(StoreInfoSchema, await client.ask('storeInfo'));
  products = await client.products();
});
afterAll(() => api.close());

const product = (fits: (product: Product) => boolean): Product => {
  const found = products.find(fits);
  if (!found) throw new Error('The demo catalogue has no such product.');
  return found;
};
const mango = (): Product => product(({ name }) => name === 'Alphonso Mango, box of 6');

const textOf = (element: Element | null | undefined): string =>
  (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

/** A built page by its file, without extension. */
function open(file: string) {
  const { document } = new JSDOM(readFileSync(join(testSite, `${file}.html`), 'utf8'), { url: SITE }).window;
  const all = (selector: string): Element[] => [...document.querySelectorAll(selector)];
  const one = (selector: string): Element => {
    const found = document.querySelector(selector);
    if (!found) throw new Error(`${file} has no ${selector}.`);
    return found;
  };
  const texts = (selector: string): string[] => all(selector).map(textOf);
  /** The text and address of each link in these elements. */
  const links = (selector: string): (readonly [string, string | null])[] =>
    all(`${selector} a`).map((link) => [textOf(link), link.getAttribute('href')] as const);
  const meta = (name: string): string | null => one(`meta[${name}]`).getAttribute('content');
  const structured = (): unknown[] =>
    all('script[type="application/ld+json"]').map((script) => JSON.parse(script.textContent));
  return { document, all, one, texts, links, meta, structured };
}

const openProduct = ({ id }: Product) => open(`product/${id}`);

describe('the header and the footer', () => {
  test('[spec 2.header.1, 2.header.3, 2.header.5] the header names the store and links its categories', () => {
    const { one, links } = open('index');
    expect(textOf(one('header [data-store=name]'))).toBe(store.storeName);
    expect(links('header nav')).toEqual([
      ...store.categories.slice(0, 3).map((name) => [name, paths.category(name)]),
      ['All Products', '/products'],
    ]);
  });

  test('[spec 2.footer.1, 2.footer.2, 2.footer.3, 2.footer.4] the footer and the bottom bar have their links, and the contact details', () => {
    const { one, links } = open('index');
    expect(links('nav[aria-label=Help]')).toEqual([
      ...POLICY_SLUGS.map((slug) => [POLICIES[slug], `/${slug}`]),
      ['Contact Us', '/contact'],
    ]);
    expect(links('nav[aria-label=Company]')).toEqual([
      ['My Account', '/account'],
      ['My Orders', '/orders'],
      ['Wishlist', '/wishlist'],
      ['Track Order', '/track-order'],
      ['What this device keeps', '/device'],
    ]);
    expect(links('nav[aria-label="Quick links"]')).toEqual([
      ['Home', '/'],
      ['Category', '/products'],
      ['My Account', '/account'],
      ['Cart', '/cart'],
    ]);
    for (const text of [store.companyAddress, store.companyPhone, store.companyEmail])
      expect(textOf(one('footer'))).toContain(text);
  });

  test('header and bottom bar mark the link to the current page', () => {
    for (const [page, addresses] of [
      ['index', ['/']],
      ['products', ['/products']],
      ['cart', ['/cart']],
      ['contact', []],
    ] as const) {
      const marked = open(page)
        .all('a[aria-current=page]')
        .filter((link) => !link.closest('main, footer'));
      expect([...new Set(marked.map((link) => link.getAttribute('href')))], page).toEqual(addresses);
    }
  });

  test('every page that needs JavaScript says so, and shows how to contact the company', () => {
    for (const { path, isIsland } of Object.values(PAGES)) {
      if (!isIsland || path === paths.apiTest) continue;
      const { document } = open(path.slice(1));
      const sentence = new JSDOM(document.querySelector('main noscript')?.innerHTML).window.document.body;
      expect(textOf(sentence), path).toMatch(
        /^This page needs JavaScript\. Please turn it on, or call or write/,
      );
      expect(sentence.querySelector('a')?.getAttribute('href'), path).toBe('/contact');
    }
  });

  test('everything in an island waits for hydration before it is translated', () => {
    for (const { path, isIsland } of Object.values(PAGES)) {
      if (!isIsland) continue;
      const parts = open(path.slice(1)).all('astro-island > *');
      expect(
        parts.map((part) => part.getAttribute('data-hydrated')),
        path,
      ).toEqual(['false']);
    }
  });
});

describe('the home page', () => {
  test('[spec 2.home.1, 2.home.2, 2.home.3, 2.home.4, 2.home.5, 2.home.6, 2.home.13, 2.home.14, 2.home.18] shows its sections in order, with their links and tiles', () => {
    const { texts, links } = open('index');
    expect(texts('main :is(h1, h2)')).toEqual([
      'Fruit at itssweetest.',
      'Fresh & Premium Fruits',
      'Featured Fruits',
      'Eat the season.',
      'First pick of every harvest',
    ]);
    expect(links('.hero')).toEqual([
      ['Shop Fresh Fruits', '/products'],
      ['Featured Selection', '/products?featured=true'],
    ]);
    expect(links('section[aria-labelledby=categories]')).toEqual(
      store.categories.slice(0, 3).map((name) => [name, paths.category(name)]),
    );
    expect(links('section[aria-labelledby=promo]')).toEqual([['Explore Fruits', '/products']]);
    expect(texts('section[aria-labelledby=promo] li')).toEqual(['Apples', 'Berries', 'Grapes', 'Exotic']);
  });

  test('[spec 2.home.10, 7.products.9] shows four products, the featured ones first', () => {
    const four = products.filter(({ category }) => category === store.categories[0]).slice(0, 4);
    const expected = [...four.filter((each) => each.featured), ...four.filter((each) => !each.featured)];
    const { texts, one } = open('index');
    expect(texts('[data-featured] h3')).toEqual(expected.map(({ name }) => name));
    expect(one('[data-featured]').getAttribute('data-featured')).toBe(store.categories[0]);
    expect(one('section[aria-labelledby=featured] > div a').getAttribute('href')).toBe('/products');
  });

  test('[spec 2.home.15, 5.newsletter.1] has an email field for the newsletter', () => {
    const { one, texts } = open('index');
    const email = one('section[aria-labelledby=newsletter] input[name=email]');
    expect([email.getAttribute('type'), email.hasAttribute('required')]).toEqual(['email', true]);
    expect(texts('section[aria-labelledby=newsletter] button')).toEqual(['Subscribe']);
  });
});

describe('the listing', () => {
  test('[spec 2.listing.1, 2.listing.11, 2.listing.15, 2.listing.24] shows the first twelve of all products', () => {
    const { one, texts } = open('products');
    expect(textOf(one('h1'))).toBe('All Products');
    expect(texts('.results h3')).toEqual(products.slice(0, 12).map(({ name }) => name));
    expect(textOf(one('[data-listing-status]'))).toBe(`Showing 1–12 of ${products.length}`);
    expect(textOf(one('nav[aria-label=Pagination] [aria-current=page]'))).toBe('1');
  });

  test('[spec 2.listing.6] lists every parent category as a filter', () => {
    const { texts } = open('products');
    const parents = new Set(products.map(({ parentCategory }) => parentCategory));
    expect(texts('nav[aria-label="Filter by category"] a')).toEqual(['All', ...parents]);
  });

  test('[spec 2.card.1] a card shows picture, name, category and price', () => {
    const card = open('products').one('.results .card');
    for (const text of [mango().name, mango().category, formatRupees(mango().price)])
      expect(textOf(card)).toContain(text);
    expect(card.querySelector('img')?.getAttribute('src')).toMatch(/^\/_astro\/img\/.+\.avif$/);
  });
});

describe('a product', () => {
  test('[spec 2.product.1, 2.product.2, 2.product.20] shows its texts, its picture and both prices', () => {
    const { document, one, texts, links } = openProduct(mango());
    expect(document.title).toBe(`${mango().name} | Fresh Fruits`);
    expect(textOf(one('main h1'))).toBe(mango().name);
    for (const [name, text] of Object.entries(productTexts(mango())))
      expect(textOf(one(`main [data-text=${name}]`)), name).toBe(text);
    expect(textOf(one('main .price-large'))).toContain(formatRupees(899));
    expect(texts('main .price-large s')).toEqual([formatRupees(1_099)]);
    expect(texts('main .sale-badge')).toContain('Sale');
    expect(one('main img').getAttribute('alt')).toContain(mango().name);
    expect(links('nav[aria-label=Breadcrumb]').map(([text]) => text)).toEqual(['Home', mango().category]);
  });

  test('shows the prices per kilo and piece, and the key facts', () => {
    const main = textOf(openProduct(mango()).one('main'));
    expect(main).toContain(
      `${formatRupees(599.33)}/kg · ${formatRupees(149.83)}/piece · Inclusive of all taxes`,
    );
    expect(main).toContain('Net weight 1.5 kg · Pieces 6 · Origin Ratnagiri, Maharashtra');
  });

  test('[spec 2.product.17] can be read without scripts, and says that the cart needs them', () => {
    const rich = product(({ sizes, attributes }) => sizes.length > 1 && attributes.length > 3);
    const { one, all } = openProduct(rich);
    expect(textOf(one('main'))).toContain(rich.description);
    expect(all('main form input[type=radio]')).toHaveLength(rich.sizes.length + rich.colors.length);
    expect(all('main [aria-label=Specifications] dt, main .specs dt').length).toBeGreaterThan(0);
    expect(all('noscript').map(textOf).join(' ')).toContain('Adding to the cart needs JavaScript.');
  });

  test('links to four other products of its category, with their prices', () => {
    const siblings = products.filter(
      ({ category, id }) => category === mango().category && id !== mango().id,
    );
    const found = openProduct(mango()).all('section[aria-labelledby=related] a');
    expect(found).toHaveLength(4);
    for (const link of found) {
      const sibling = siblings.find(({ id }) => link.getAttribute('href') === `/product/${id}`);
      expect(textOf(link)).toContain(sibling?.name ?? '?');
      expect(textOf(link)).toContain(formatRupees(sibling?.price ?? 0));
    }
  });
});

describe('forms and static pages', () => {
  /** The fields of a page's form, by label. */
  const fieldsOf = ({ all, one }: ReturnType<typeof open>): Record<string, string | null> =>
    Object.fromEntries(
      all('main form label[for]').map((label) => {
        const field = one(`#${label.getAttribute('for')}`);
        return [textOf(label), field.getAttribute('autocomplete')];
      }),
    );

  test('[spec 2.login.1, 2.login.3, 2.login.4] the sign-in has its fields and its links', () => {
    const page = open('login');
    expect(fieldsOf(page)).toEqual({ Email: 'email', Password: 'current-password' });
    expect(textOf(page.one('label:has([name=rememberMe])'))).toBe('Remember me');
    expect(page.one('[name=rememberMe]').hasAttribute('checked')).toBe(false);
    const links = page.links('main').map(([, href]) => href);
    expect(links).toEqual(expect.arrayContaining(['/register', '/forgot-password', '/terms', '/privacy']));
    expect(page.links('main')).toContainEqual(['Return to Home', '/']);
  });

  test.each(['login', 'register', 'reset-password', 'account-change'])(
    'each form of %s with a password names its account first, for password managers',
    (file) => {
      const forms = open(file).all('form:has([type=password])');
      for (const form of forms) {
        const tokens = [...form.querySelectorAll('input')].map((input) => input.getAttribute('autocomplete'));
        const password = tokens.findIndex((token) => token?.endsWith('-password'));
        expect(tokens[password - 1]).toMatch(/^(?:username|email)$/);
      }
      expect(forms.length).toBeGreaterThan(0);
    },
  );

  test('[spec 2.register.1, 2.register.3, 2.register.6] the registration has its fields, advice and links', () => {
    const page = open('register');
    expect(fieldsOf(page)).toEqual({
      'First name': 'given-name',
      'Last name': 'family-name',
      Email: 'email',
      Password: 'new-password',
      'Confirm password': 'new-password',
    });
    expect(page.texts('main form p')).toContain(
      'Use a common email provider, like gmail.com or outlook.com.',
    );
    const links = page.links('main').map(([, href]) => href);
    expect(links).toEqual(expect.arrayContaining(['/login', '/terms', '/privacy']));
  });

  test('[spec 2.contact.1, 2.contact.2, 2.contact.7] the contact page shows the contact details', () => {
    const { one, links } = open('contact');
    const main = textOf(one('main'));
    for (const text of [store.companyName, store.companyAddress, 'Monday to Saturday, 10AM - 6PM'])
      expect(main).toContain(text);
    expect(links('main')).toContainEqual([store.companyEmail, `mailto:${store.companyEmail}`]);
    expect(links('main')).toContainEqual([
      store.companyPhone,
      `tel:${store.companyPhone.replaceAll(' ', '')}`,
    ]);
  });

  test('[spec 2.success.1, 2.success.2, 2.success.3] the thank-you page links to the next steps', () => {
    const { one, links, meta } = open('order-success');
    expect(textOf(one('h1'))).toBe('Thank You for Your Order!');
    expect(textOf(one('main'))).toContain('An email with the order details will be sent to you.');
    expect(links('main')).toEqual([
      ['View My Orders', '/orders'],
      ['Continue Shopping', '/'],
    ]);
    expect(meta('name=robots')).toBe('noindex');
  });

  test('[spec 2.notfound.1, 2.notfound.2] the 404 page links to the home page', () => {
    const { one, links } = open('404');
    expect(textOf(one('h1'))).toBe('Oops! Page not found');
    expect(links('main')).toContainEqual(['Return to Home', '/']);
  });
});

describe('the policies', () => {
  const headingsIn = (html: string): string[] =>
    [...new JSDOM(html).window.document.querySelectorAll('h2')].map(textOf);
  const builtIn = (slug: string): string[] =>
    headingsIn(policyHtmlOf(readFileSync(`src/catalogue/policies/${slug}.md`, 'utf8')));

  test.each(POLICY_SLUGS)(
    '[spec 2.policies.1, 2.policies.3] /%s is complete, with its placeholders filled',
    (slug) => {
      const { one } = open(slug);
      expect(textOf(one('h1'))).toBe(POLICIES[slug]);
      expect(textOf(one('nav[aria-label=Policies] [aria-current=page]'))).toBe(POLICIES[slug]);
      expect(textOf(one('article'))).toContain(store.companyName);
      expect(textOf(one('article'))).not.toMatch(/\{\{|\}\}/);
    },
  );

  test('[spec 2.policies.2, 2.policies.4] a policy shows the server’s text, or else the built-in one', () => {
    const sent = headingsIn(store.policies.get('shipping') ?? '');
    expect(sent).not.toEqual(builtIn('shipping'));
    expect(open('shipping').texts('article h2')).toEqual(sent);
    expect(store.policies.has('terms')).toBe(false);
    expect(open('terms').texts('article h2')).toEqual(builtIn('terms'));
  });
});

describe('what search engines, shopping feeds and shared links read', () => {
  test('the feed lists every product at the price of its page', () => {
    const xml = readFileSync(join(testSite, 'feed.xml'), 'utf8');
    const items = [...new JSDOM(xml, { contentType: 'text/xml' }).window.document.querySelectorAll('item')];
    expect(items).toHaveLength(products.length);
    for (const [index, each] of products.entries()) {
      if (index % 20 > 0) continue;
      const read = (name: string) => items[index]?.getElementsByTagName(name)[0]?.textContent;
      expect(read('link')).toBe(`${SITE}/product/${each.id}`);
      expect(read('g:sale_price') ?? read('g:price')).toBe(`${each.price.toFixed(2)} INR`);
      expect(openProduct(each).structured()[0]).toMatchObject({ offers: { price: each.price } });
    }
  });

  test('a product page has structured data', () => {
    const { structured, one } = openProduct(mango());
    expect(structured()).toMatchObject([
      {
        '@type': 'Product',
        name: mango().name,
        offers: { price: mango().price, priceCurrency: CURRENCY.code },
      },
      { '@type': 'BreadcrumbList', itemListElement: [{ name: 'Home' }, {}, { name: mango().name }] },
    ]);
    expect(one('link[rel=canonical]').getAttribute('href')).toBe(`${SITE}/product/${mango().id}`);
  });

  test('the home page has structured data of the seller and the return policy', () => {
    expect(open('index').structured()).toMatchObject([
      {
        '@type': 'OnlineStore',
        name: 'Fresh Fruits',
        hasMerchantReturnPolicy: {
          applicableCountry: 'IN',
          merchantReturnDays: 7,
          merchantReturnLink: `${SITE}/return`,
        },
      },
    ]);
  });

  test('a shared link has a preview picture in a common format', () => {
    for (const file of ['index', 'products'])
      expect(open(file).meta('property="og:image"')).toBe(`${SITE}/og.jpg`);
    expect(openProduct(mango()).meta('property="og:image"')).toMatch(/^https?:\/\/.+\.(?:webp|jpe?g|png)$/);
  });

  test('search engines do not index the search page', () => {
    expect(open('search').meta('name=robots')).toBe('noindex');
    expect(readFileSync(join(testSite, 'sitemap.xml'), 'utf8')).not.toContain('/search');
  });
});
