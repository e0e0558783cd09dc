import type { BrowserContext } from 'playwright';
import { PAGES, type PageRow } from '#page-table.ts';
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

/** A page of the table, which has its bar for bytes. */
const page = (name: string, { path, kib, ...row }: PageRow, address = path): BenchPage => ({
  name,
  path: address,
  load: kib,
  ...(row.isEntrance && { isEntrance: true }),
  ...(!row.isIsland && { isContent: true }),
  ...(row.isSignedIn && { isSignedIn: true }),
  ...(row.needsOrder && { hasOrder: true }),
});

/** The pages of the shop, with their bars for bytes. */
export const pagesOf = ({ productPath }: BenchShop): readonly BenchPage[] => [
  page('home', PAGES.home),
  page('listing', PAGES.products),
  page('product', PAGES.product, productPath),
  { name: 'filtered listing', path: '/products?category=berries', isContent: true },
  page('policy', PAGES.terms),
  page('contact', PAGES.contact),
  page('404', PAGES.notFound, '/nowhere/at/all'),
  page('order success', PAGES.orderSuccess),
  page('cart', PAGES.cart),
  page('login', PAGES.login),
  page('register', PAGES.register),
  page('track order', PAGES.trackOrder),
  page('account', PAGES.account),
  page('checkout', PAGES.checkout),
  page('orders', PAGES.orders),
  page('payment', PAGES.payment, `${PAGES.payment.path}?orderId=`),
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
