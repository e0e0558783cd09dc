import type { PolicySlug } from '#domain/policy.ts';
import { encodePart } from '#domain/url.ts';

/** Returns `/contact` for `/contact.html` and `/` for `/index.html`. */
export const pagePath = (pathname: string): string =>
  pathname.replace(/(?:\/index)?(?:\.html)?\/?$/, '') || '/';

/** Separate from `paths`, because the script of every page needs only this one. */
export const CART_PATH = '/cart';

export const WORKER_PATH = '/sw.js';

/** Every internal address, without trailing slashes. */
export const paths = {
  home: '/',
  products: '/products',
  featured: '/products?featured=true',
  category: (name: string) => `/products?category=${encodePart(name.toLowerCase())}`,
  search: '/search',
  searchFor: (text: string) => `/search?q=${encodePart(text)}`,
  product: (id: string) => `/product/${encodePart(id)}`,
  cart: CART_PATH,
  /** `items` is from `encodeItems` of domain/shared-cart.ts. Colons and commas stay readable. */
  sharedCart: (items: string) =>
    `${CART_PATH}?items=${encodeURIComponent(items).replaceAll('%3A', ':').replaceAll('%2C', ',')}`,
  checkout: '/checkout',
  payment: (orderId: string) => `/payment?orderId=${encodePart(orderId)}`,
  orders: '/orders',
  orderSuccess: '/order-success',
  trackOrder: '/track-order',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  account: '/account',
  accountChange: '/account-change',
  accountData: '/account-data',
  wishlist: '/wishlist',
  device: '/device',
  contact: '/contact',
  apiTest: '/api-test',
  notFound: '/404',
  policy: (slug: PolicySlug) => `/${slug}`,
} as const;
