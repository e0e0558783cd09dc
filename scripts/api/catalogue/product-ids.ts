import * as v from 'valibot';
import type { Reader } from '#scripts/api/db/database.ts';
import { isReserved } from '#scripts/api/http/names.ts';

const LONGEST = 60;

const IdSchema = v.object({ id: v.string() });

/** A title as a part of an address, such as `alphonso-mango-box-of-6`; '' for one without Latin letters and digits. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');

/** On some disks the pages of 'A1' and 'a1' would be one file. Products that are not on sale count, too. */
export const isIdTaken = async (db: Reader, id: string): Promise<boolean> =>
  (await db.get(IdSchema, 'SELECT id FROM products WHERE lower(id) = ?', id.toLowerCase())) !== undefined;

/** An id for a new product, made from its title. */
export async function freeId(db: Reader, title: string): Promise<string> {
  const slug = slugOf(title) || 'product';
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? slug : `${slug}-${number}`;
    if (!isReserved(id) && !(await isIdTaken(db, id))) return id;
  }
}
