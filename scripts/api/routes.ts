import type { ApiCall, Route } from './call.ts';
import { decideGateway, showGateway } from './gateway/card.ts';
import { decideUpi, showUpi } from './gateway/upi.ts';
import { openApiDocument } from './openapi.ts';
import { showHealth, showReadiness } from './routes/health.ts';
import { showImage } from './routes/images.ts';
import { createOrder, listOrders, trackOrder } from './routes/orders.ts';
import { receiveCallback } from './routes/payment-callback.ts';
import { listPaymentFields, submitPayment } from './routes/payments.ts';
import { getProduct, getStoreInfo, listProducts } from './routes/products.ts';
import { getAccount, register, signIn } from './routes/users.ts';

export const API_BASE = '/api/v1';

/**
 * Every call of section 7 of the specification, below API_BASE. An entry makes the call: it is served, described in
 * /openapi.json and fuzzed. What it takes and answers stands where it is defined. A new call that does not succeed
 * without an id, a query or a body also needs one in tests/fuzz/good-requests.ts.
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

/** What is outside API_BASE: the state of the process, pictures, the API's description, and the sandbox gateway's pages. */
export const OTHER_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/healthz', handle: showHealth },
  { method: 'GET', path: '/readyz', handle: showReadiness },
  { method: 'GET', path: '/openapi.json', handle: (context) => context.json(apiDescription()) },
  { method: 'GET', path: '/images/:name', handle: showImage },
  { method: 'POST', path: '/gateway/pay', handle: showGateway },
  { method: 'POST', path: '/gateway/pay/result', handle: decideGateway },
  { method: 'GET', path: '/gateway/upi', handle: showUpi },
  { method: 'POST', path: '/gateway/upi/result', handle: decideUpi },
];
