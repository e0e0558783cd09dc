import type { ApiCall, Route } from './call.ts';
import { reportCardResult, showCardPage } from './gateway/card.ts';
import { reportUpiResult, showUpiPage } from './gateway/upi.ts';
import { openApiDocument } from './openapi.ts';
import { showHealth, showReadiness } from './routes/health.ts';
import { showImage } from './routes/images.ts';
import { showMetrics } from './routes/metrics.ts';
import { createOrder, listOrders, trackOrder } from './routes/orders.ts';
import { receiveCallback } from './routes/payment-callback.ts';
import { listPaymentFields, submitPayment } from './routes/payments.ts';
import { getProduct, getStoreInfo, listProducts } from './routes/products.ts';
import { getAccount, register, signIn } from './routes/users.ts';

export const API_BASE = '/api/v1';

/**
 * Every call of section 7 of the specification, below API_BASE. The server, /openapi.json and the fuzz test read this
 * list. If a new call needs an id, a query or a body to succeed, add them in tests/fuzz/good-requests.ts.
 */
export const API_CALLS: readonly ApiCall[] = [
  listProducts,
  getProduct,
  getStoreInfo,
  signIn,
  register,
  getAccount,
  listOrders,
  createOrder,
  trackOrder,
  listPaymentFields,
  submitPayment,
  receiveCallback,
];

export const apiDescription = () => openApiDocument(API_BASE, API_CALLS);

/**
 * The routes outside API_BASE: the state of the process and its metrics, the API's description, pictures, and the pages
 * and forms of the sandbox gateway.
 */
export const OTHER_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/healthz', handle: showHealth },
  { method: 'GET', path: '/readyz', handle: showReadiness },
  { method: 'GET', path: '/metrics', handle: showMetrics },
  { method: 'GET', path: '/openapi.json', handle: (context) => context.json(apiDescription()) },
  { method: 'GET', path: '/images/:name', handle: showImage },
  { method: 'POST', path: '/gateway/pay', handle: showCardPage },
  { method: 'POST', path: '/gateway/pay/result', handle: reportCardResult },
  { method: 'GET', path: '/gateway/upi', handle: showUpiPage },
  { method: 'POST', path: '/gateway/upi/result', handle: reportUpiResult },
];
