import type { Product } from '#domain/product.ts';

/** A product with neutral values, so that a test names only the fields that it is about. */
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

/** Whether a product has a price that can fall, and neither sizes nor colours to choose from. */
export const isPlain = ({ price, sizes, colors }: Product): boolean =>
  price > 10 && sizes.length + colors.length === 0;
