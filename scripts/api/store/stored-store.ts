import * as v from 'valibot';
import type { Reader } from '#scripts/api/db/database.ts';
import { StoreInfoSchema, type WireStoreInfo } from './schema.ts';

export const picturesOfStore = ({ companyLogoUrl, categoryImages }: WireStoreInfo): string[] =>
  [companyLogoUrl, ...Object.values(categoryImages)].filter((picture) => picture !== '');

const RowSchema = v.object({ value: v.pipe(v.string(), v.parseJson(), StoreInfoSchema) });

/** The store record; undefined as long as the database has no catalogue. Its pictures are file names. */
export const storedStore = async (db: Reader): Promise<WireStoreInfo | undefined> =>
  (await db.get(RowSchema, "SELECT value FROM meta WHERE name = 'store_info'"))?.value;

/** Returns the record with its pictures in the order of the categories and its policies by name. Equal records are then equal as JSON. */
export function orderedStore({ categoryImages, policies, ...record }: WireStoreInfo): WireStoreInfo {
  const place = ([name]: [string, string]): number => {
    const index = record.categories.indexOf(name);
    return index < 0 ? record.categories.length : index;
  };
  const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);
  const images = Object.entries(categoryImages).sort((a, b) => place(a) - place(b) || byName(a, b));
  return {
    ...record,
    categoryImages: Object.fromEntries(images),
    policies: Object.fromEntries(Object.entries(policies).sort(byName)),
  };
}
