import type { Context } from 'hono';
import { decideGateway, showGateway } from './gateway/card.ts';
import { decideUpi, showUpi } from './gateway/upi.ts';
import { showImage } from './routes/images.ts';
import { createOrder, listOrders, trackOrder } from './routes/orders.ts';
import { listPaymentFields, receiveCallback, submitPayment } from './routes/payments.ts';
import { listProducts, showProduct, showStoreInfo } from './routes/products.ts';
import { register, showAccount, signIn } from './routes/users.ts';
import type { Env, Shop } from './shop.ts';

export const API_BASE = '/api/v1';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** `:name` is a parameter. */
  readonly path: string;
  /** 'bearer' needs a token and sets the user. */
  readonly access: 'public' | 'bearer';
  readonly handle: (context: Context<Env>, shop: Shop) => Response | Promise<Response>;
}

/** Every call of section 7, below API_BASE. */
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
  { method: 'GET', path: '/payments/fields', access: 'bearer', handle: listPaymentFields },
  { method: 'POST', path: '/payments', access: 'bearer', handle: submitPayment },
  { method: 'POST', path: '/payments/callback', access: 'public', handle: receiveCallback },
];

/** Outside API_BASE: pictures, and the sandbox gateway's pages, which take HTML forms. */
export const OTHER_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/images/:name', access: 'public', handle: showImage },
  { method: 'POST', path: '/gateway/pay', access: 'public', handle: showGateway },
  { method: 'POST', path: '/gateway/pay/result', access: 'public', handle: decideGateway },
  { method: 'GET', path: '/gateway/upi', access: 'public', handle: showUpi },
  { method: 'POST', path: '/gateway/upi/result', access: 'public', handle: decideUpi },
];
