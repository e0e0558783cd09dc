import type { BrowserContext } from 'playwright';
import type { BenchShop } from './shop.ts';

export interface BenchPage {
  readonly name: string;
  readonly path: string;
  /** The bar for KiB of HTML, CSS and JavaScript until the load event of a first visit. */
  readonly load?: number;
  /** Home, listing and product: the document must come in one round trip, with few other requests. */
  readonly isEntrance?: true;
  /** Content pages load no framework. */
  readonly isContent?: true;
  readonly isSignedIn?: true;
  /** The page needs an order, whose id is the end of the address. */
  readonly hasOrder?: true;
}

const CONTENT = { isContent: true } as const;
const ENTRANCE = { load: 15, isContent: true, isEntrance: true } as const;
const SIGNED_IN = { isSignedIn: true } as const;

/** The pages of the shop, with their bars for bytes. */
export const pagesOf = ({ productPath }: BenchShop): readonly BenchPage[] => [
  { name: 'home', path: '/', ...ENTRANCE },
  { name: 'listing', path: '/products', ...ENTRANCE },
  { name: 'product', path: productPath, ...ENTRANCE },
  { name: 'filtered listing', path: '/products?category=berries', ...CONTENT },
  { name: 'policy', path: '/terms', load: 12, ...CONTENT },
  { name: 'contact', path: '/contact', load: 12, ...CONTENT },
  { name: '404', path: '/nowhere/at/all', load: 12, ...CONTENT },
  { name: 'order success', path: '/order-success', load: 12, ...CONTENT },
  { name: 'cart', path: '/cart', load: 78 },
  { name: 'login', path: '/login', load: 78 },
  { name: 'register', path: '/register', load: 78 },
  { name: 'track order', path: '/track-order', load: 78 },
  { name: 'account', path: '/account', load: 78, ...SIGNED_IN },
  { name: 'checkout', path: '/checkout', load: 78, ...SIGNED_IN },
  { name: 'orders', path: '/orders', load: 78, ...SIGNED_IN },
  { name: 'payment', path: '/payment?orderId=', load: 88, ...SIGNED_IN, hasOrder: true },
];

/** Puts into the browser what a page needs, such as a session. Returns the page's address at `site`. */
export async function prepare(
  { client }: BenchShop,
  site: string,
  { path, isSignedIn, hasOrder }: BenchPage,
  context: BrowserContext,
): Promise<string> {
  if (!isSignedIn) return site + path;
  const shopper = await client.newSignedIn();
  await context.addCookies([{ name: 'auth_token', value: shopper.token, url: site }]);
  return site + path + (hasOrder ? (await client.order(shopper)).id : '');
}
