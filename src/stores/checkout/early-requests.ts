import { hasToken } from '#api/token-cookie.ts';
import { sendFirstPrices } from '#stores/cart/first-prices.ts';

/* Runs in the head of the checkout, which only signed-in users may open: asks for today's prices (price-check.ts). */

if (hasToken()) sendFirstPrices();
