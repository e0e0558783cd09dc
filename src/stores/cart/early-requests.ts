import { sendFirstPrices } from './first-prices.ts';

/* Runs in the head of the cart: fetches today's prices (price-check.ts). */

sendFirstPrices();
