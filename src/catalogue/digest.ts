import { createHash } from 'node:crypto';
import type { StoreInfo } from '#domain/store-info.ts';

const mapsAsObjects = (_key: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value;

/** A hash of plain values, lists, objects and Maps. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, mapsAsObjects)).digest('base64url');

/** A hash that changes with anything that is known of a product, or with one part of the store record. */
export const shortDigest = (value: unknown): string => digest(value).slice(0, 16);

/** Hashes of the store record's parts: each field, and each policy as `policies/SLUG`. */
export const storeDigests = ({ policies, ...fields }: StoreInfo): Record<string, string> =>
  Object.fromEntries([
    ...Object.entries(fields).map(([name, value]) => [name, shortDigest(value)]),
    ...[...policies].map(([slug, html]) => [`policies/${slug}`, shortDigest(html)]),
  ]);
