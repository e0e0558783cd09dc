import { type Cart, toLine } from '#domain/cart.ts';
import { PAGES } from '#page-table.ts';
import { paths } from '#paths.ts';
import { isPlain } from './samples.ts';
import type { ShopClient, SignedIn } from './shop-client.ts';

/* The pages and their states that tests visit: every-page and every-state in Chromium, tests/engines in all engines. */

export interface Visit {
  readonly address: string;
  /** What the cart holds before. */
  readonly cart?: Cart;
  readonly isSignedIn?: boolean | undefined;
  /** A text that the page finally shows. */
  readonly shows?: string;
}

type State = Visit & { readonly shows: string };

/** Creates what the state needs by the API. */
type Prepare = (api: ShopClient, shopper: SignedIn) => Promise<State> | State;

const signedIn = (address: string, shows: string): State => ({ address, shows, isSignedIn: true });

const plainCart = async (api: ShopClient): Promise<Cart> => [
  toLine(await api.product(isPlain), { size: '', color: '', quantity: 2 }),
];

const withCart =
  (address: string, count: number, shows: string): Prepare =>
  async (api) => {
    const products = (await api.products()).filter(({ price }) => price > 0).slice(0, count);
    const cart = products.map((product) =>
      toLine(product, { size: product.sizes[0] ?? '', color: product.colors[0] ?? '', quantity: 2 }),
    );
    return { ...signedIn(address, shows), cart };
  };

const withOrders =
  (count: number): Prepare =>
  async (api, shopper) => {
    const { number } = await api.order(shopper);
    for (let order = 1; order < count; order += 1) await api.order(shopper);
    return signedIn(paths.orders, number);
  };

/** Every page of the page table. */
export const PAGE_VISITS = Object.entries(PAGES).map(([name, row]) => ({
  name,
  row,
  prepare: async (api: ShopClient, shopper: SignedIn): Promise<Visit> => {
    const { isSignedIn } = row;
    if (row === PAGES.notFound) return { address: '/no-such-page' };
    if (row.needsOrder) return { address: paths.payment((await api.order(shopper)).id), isSignedIn };
    if (row === PAGES.cart || row === PAGES.checkout)
      return { address: row.path, isSignedIn, cart: await plainCart(api) };
    const { id } = await api.product(({ attributes, images }) => attributes.length > 3 && images.length > 0);
    return { address: row.path.replace('*', id), isSignedIn };
  },
}));

/** The initial states of pages, beyond those, that the API or the address can make. */
const STATES: Readonly<Record<string, Prepare>> = {
  'a cart without lines': () => signedIn(paths.cart, 'Your cart is empty'),
  'a cart of six lines': withCart(paths.cart, 6, 'Order summary'),
  '[spec 8.checkout.1, 5.checkout.1] the checkout without lines': () =>
    signedIn(paths.checkout, 'Please add items to your cart before checkout.'),
  'the checkout': withCart(paths.checkout, 2, 'Create Order'),
  'one order': withOrders(1),
  'three orders': withOrders(3),
  'the payment of an order': async (api, shopper) =>
    signedIn(paths.payment((await api.order(shopper)).id), 'Pay Now'),
  'an order that takes no payment': async (api, shopper) =>
    signedIn(paths.payment((await api.order(shopper, { status: 'shipped' })).id), 'Shipped'),
  'a payment without an order': () => signedIn(PAGES.payment.path, 'Order ID is missing'),
  'a filtered listing': () => signedIn(paths.category('Melons'), 'Melons'),
  'a listing without products': () => signedIn(paths.category('unknown'), 'No products found'),
  'a search': () => signedIn(paths.searchFor('mango'), 'Alphonso Mango'),
  'a product that does not exist': () => signedIn(paths.product('unknown'), 'Product Not Found'),
  'a link to track an order': async (api, shopper) => {
    const { id } = await api.order(shopper);
    return signedIn(`${paths.trackOrder}?id=${id}`, 'Track Order');
  },
};

export const STATE_VISITS = Object.entries(STATES).map(([name, prepare]) => ({ name, prepare }));
