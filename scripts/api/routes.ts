import type { Context } from 'hono';
import { createOrder, listOrders, trackOrder } from './routes/orders.ts';
import { listProducts, showProduct, showStoreInfo } from './routes/products.ts';
import { register, showAccount, signIn } from './routes/users.ts';
import type { Env, Shop } from './shop.ts';

export const API_BASE = '/api/v1';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Below API_BASE; `:name` is a parameter. */
  readonly path: string;
  /** 'bearer' needs a token and sets the user. */
  readonly access: 'public' | 'bearer';
  readonly handle: (context: Context<Env>, shop: Shop) => Response | Promise<Response>;
}

/** Every call of section 7. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/products', access: 'public', handle: listProducts },
  { method: 'GET', path: '/products/:id', access: 'public', handle: showProduct },
  { method: 'GET', path: '/storeInfo', access: 'public', handle: showStoreInfo },
  { method: 'POST', path: '/users/authorize', access: 'public', handle: signIn },
  { method: 'POST', path: '/users/register', access: 'public', handle: register },
  { method: 'GET', path: '/accountInfo', access: 'bearer', handle: showAccount },
  { method: 'GET', path: '/orders', access: 'bearer', handle: listOrders },
  { method: 'POST', path: '/orders', access: 'bearer', handle: createOrder },
  { method: 'GET', path: '/orders/:id', access: 'public', handle: trackOrder },
];
