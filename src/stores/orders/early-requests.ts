import { ADDRESSES } from '#api/addresses.ts';
import { sendEarly } from '#api/early-requests.ts';
import { hasToken } from '#api/token-cookie.ts';

/* Runs in the head of My Orders: fetches the orders (order-list.ts). */

if (hasToken()) sendEarly([ADDRESSES.orders]);
