import type { Page } from 'playwright/test';
import type { CartLine } from '#domain/cart.ts';

/** One mango without options. A test names only the fields that it is about. */
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

/** The cart in the browser's storage. */
export const storedCart = (page: Page): Promise<CartLine[]> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cart') ?? '[]'));
