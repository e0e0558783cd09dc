import { sendFirstPrices } from './first-prices.ts';

/* Runs in the head of the cart: asks for today's prices (price-check.ts). */

sendFirstPrices();
