import { guardPage } from '#stores/account/session.ts';

/** Keeps the checkout for those who are signed in (spec 8). Returns the way to stop watching. */
export const guardCheckout = (): (() => void) =>
  guardPage({
    title: 'Login Required',
    text: 'Please login to proceed with checkout',
    tone: 'error',
  });
