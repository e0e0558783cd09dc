import type { CartLine } from '#domain/cart.ts';

/** One mango without options, for tests that care for something else of it. */
export const cartLine = (change: Partial<CartLine> = {}): CartLine => ({
  id: 'mango',
  name: 'Mango',
  image: '',
  price: 120,
  quantity: 1,
  selectedSize: '',
  selectedColor: '',
  ...change,
});
