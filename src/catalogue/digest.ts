import { createHash } from 'node:crypto';
import type { Product } from '#domain/product.ts';
import type { StoreInfo } from '#domain/store-info.ts';

const mapsAsObjects = (_key: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;

export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, mapsAsObjects)).digest('base64url');

export const shortDigest = (value: unknown): string => digest(value).slice(0, 16);

/** Returns a hash for each field of the store record, and for each policy as `policies/SLUG`. */
export const storeDigests = ({ policies, ...fields }: StoreInfo): Record<string, string> =>
  Object.fromEntries([
    ...Object.entries(fields).map(([name, value]) => [name, shortDigest(value)]),
    ...[...policies].map(([slug, html]) => [`policies/${slug}`, shortDigest(html)]),
  ]);

/** Returns what releases compare of the products, by id, and a hash of their order. Units: rupees. */
export const productDigests = (products: readonly Product[]) => ({
  products: Object.fromEntries(
    products.map((product) => [
      product.id,
      { name: product.name, price: product.price, hash: shortDigest(product) },
    ]),
  ),
  order: shortDigest(products.map(({ id }) => id)),
});
