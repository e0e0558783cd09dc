export const CART_EMPTY = {
  title: 'Cart is empty',
  text: 'Please add items to your cart before checkout.',
  tone: 'error',
} as const;

export const REFUSED = {
  title: 'Error placing order',
  text: 'Please try again later.',
  tone: 'error',
} as const;
