import { formatRupees } from '#domain/money.ts';
import { type buildInto, finishSite } from '#scripts/publish/build-site.ts';
import { type PublishOptions, publish } from '#scripts/publish/publish.ts';
import { writeFiles } from './temporary-folder.ts';

export interface TinyProduct {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

export interface TinyShop {
  products: TinyProduct[];
  dropped: number;
  /** Stands for the code: it is part of every page and of the asset's name. */
  design: string;
  /** Further files of the site, keyed by path. */
  extra: Record<string, string>;
}

export const tinyShop = (count = 10): TinyShop => ({
  products: Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    name: `Mango ${index}`,
    price: 100 + index,
  })),
  dropped: 0,
  design: 'first',
  extra: {},
});

const SETTINGS = {
  apiOrigin: 'https://api.shop.example',
  allowsHttp: false,
  metaPolicy: false,
  hsts: undefined,
  worker: true,
};

const page = (title: string, body: string, design: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>body{color:green}</style>` +
  `<script type="module" src="/_astro/app.${design}.js"></script></head><body><a href="/">Home</a>${body}` +
  `<script>document.documentElement.dataset.design = '${design}'</script></body></html>`;

/** Writes in milliseconds what a build writes: pages, an asset with a hashed name, and the catalogue's report. */
export const tinyBuild =
  (shop: TinyShop): typeof buildInto =>
  async (directory) => {
    const { products, design, dropped } = structuredClone(shop);
    const links = products.map(({ id, name }) => `<a href="/product/${id}">${name}</a>`).join('');
    const productPages = products.map(({ id, name, price }) => {
      const body = `<h1>${name}</h1><p>${formatRupees(price)}</p>${'<p>Ripe and sweet.</p>'.repeat(30)}`;
      return [`product/${id}.html`, page(name, body, design)];
    });
    const records = products.map(({ id, name, price }) => [id, { name, price, hash: `${name} ${price}` }]);
    writeFiles(directory, {
      'index.html': page('Home', links, design),
      '404.html': page('Not found', 'Page not found', design),
      'payment.html': page('Payment', '', design),
      'order-success.html': page('Thank you', '', design),
      ...Object.fromEntries(productPages),
      [`_astro/app.${design}.js`]: `export const design = '${design}';\n`.repeat(40),
      'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      ...shop.extra,
      'catalogue.json': JSON.stringify({
        hash: JSON.stringify(products),
        shop: design,
        store: {},
        siteUrl: 'https://shop.example',
        order: '',
        products: Object.fromEntries(records),
        dropped,
        moved: {
          '/product/old.1': '/product/p1',
          '/products?category=old%20fruit': '/products?category=ripe%20%26%20new',
        },
      }),
    });
    return finishSite(directory, SETTINGS);
  };

/** The tiny shop's catalogue does not come from an API, so nothing listens here. */
export const NO_API = { PUBLIC_API_HOST: 'http://127.0.0.1:9' };

export const publishTiny = (root: string, shop: TinyShop, options: Partial<PublishOptions> = {}) =>
  publish({ root, build: tinyBuild(shop), env: NO_API, ...options });

/** `tiny-site.ts ROOT PRICE` publishes a shop whose pages all depend on the price. The kill loop kills it. */
if (import.meta.main) {
  const [, , root = '', price = '1'] = process.argv;
  const shop = { ...tinyShop(60), design: `v${price}` };
  shop.products = shop.products.map((product) => ({ ...product, price: Number(price) }));
  await publishTiny(root, shop);
}
