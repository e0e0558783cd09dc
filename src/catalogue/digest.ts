import { createHash } from 'node:crypto';
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
