import { METHODS } from '#scripts/api/payments/providers/sandbox/sandbox.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';

/** How the fuzzer opens a page. */
export interface FuzzPage {
  readonly name: string;
  readonly path: (facts: Facts) => string;
  readonly signedIn?: boolean;
  /** The texts for the page's form, keyed by the name or id of the field. */
  readonly form?: (facts: Facts) => Readonly<Record<string, string>>;
  /** Whether the page may send the browser to another site. */
  readonly leaves?: boolean;
}

export interface Facts {
  readonly productId: string;
  readonly category: string;
  readonly orderId: string;
  readonly email: string;
  readonly password: string;
}

/** A product and a category that the API has and the build has not, so that scripts alone draw their pages. */
export const NEW_PRODUCT = 'newer-than-the-build';
export const NEW_CATEGORY = 'Newer than the build';

const enc = encodeURIComponent;
const payment = (method: string): FuzzPage => ({
  name: `payment by ${method}`,
  path: ({ orderId }) => `/payment?orderId=${enc(orderId)}`,
  signedIn: true,
  form: () => ({ method }),
  leaves: true,
});

export const PAGES: readonly FuzzPage[] = [
  { name: 'home', path: () => '/' },
  { name: 'listing', path: () => '/products' },
  { name: 'category', path: ({ category }) => `/products?category=${enc(category.toLowerCase())}` },
  { name: 'new category', path: () => `/products?parentCategory=${enc(NEW_CATEGORY)}` },
  { name: 'product', path: ({ productId }) => `/product/${enc(productId)}` },
  { name: 'new product', path: () => `/product/${NEW_PRODUCT}` },
  { name: 'wishlist', path: () => '/wishlist' },
  { name: 'contact', path: () => '/contact' },
  { name: 'terms', path: () => '/terms' },
  { name: 'api test', path: () => '/api-test' },
  { name: 'cart', path: () => '/cart' },
  {
    name: 'track',
    path: ({ orderId }) => `/track-order?id=${enc(orderId)}`,
    form: ({ email }) => ({ contactInfo: email }),
  },
  { name: 'login', path: () => '/login', form: ({ email, password }) => ({ email, password }) },
  {
    name: 'register',
    path: () => '/register',
    form: ({ password }) => ({
      firstName: 'Asha',
      lastName: 'Rao',
      email: 'new@example.com',
      password,
      confirmPassword: password,
    }),
  },
  { name: 'account', path: () => '/account', signedIn: true },
  { name: 'orders', path: () => '/orders', signedIn: true },
  { name: 'checkout', path: () => '/checkout', signedIn: true, form: () => ({ ...ADDRESS }) },
  payment(METHODS.qr),
  payment(METHODS.app),
  payment(METHODS.card),
];
