import type { Product } from '#domain/product.ts';

/** A product of which a test says only what it is about. */
export const aProduct = (change: Partial<Product> = {}): Product => ({
  id: 'p',
  name: 'P',
  price: 1,
  image: '',
  images: [],
  category: '',
  parentCategory: '',
  description: '',
  featured: false,
  sizes: [],
  colors: [],
  attributes: [],
  ...change,
});
