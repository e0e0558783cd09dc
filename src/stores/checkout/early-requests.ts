import { hasToken } from '#api/token-cookie.ts';
import { sendFirstPrices } from '#stores/cart/first-prices.ts';

/* Runs in the head of the checkout: fetches today's prices for a signed-in customer (price-check.ts). */

if (hasToken()) sendFirstPrices();
