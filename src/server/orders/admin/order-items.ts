import * as v from 'valibot';
import { json } from '#server/db/columns.ts';
import type { Reader } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import { isImageName, isRemote } from '#server/http/names.ts';

const ITEM = q
  .selectFrom('orderItems')
  .innerJoin('products', 'products.id', 'productId')
  .select(['orderNumber', 'productId', 'orderItems.title', 'size', 'color', 'quantity'])
  .select(['orderItems.unitPaise', 'dto']);

const ITEM_JSON = {
  dto: v.fallback(json(v.object({ imgUrl: v.string(), images: v.array(v.object({ url: v.string() })) })), {
    imgUrl: '',
    images: [],
  }),
};

type Row = RowOf<typeof ITEM, typeof ITEM_JSON>;

export interface OrderedItem extends Omit<Row, 'dto'> {
  /** A URL, or ''. */
  readonly image: string;
  /** Size and colour, such as 'M, red'. May be empty. */
  readonly options: readonly string[];
}

const imageOf = ({ imgUrl, images }: Row['dto']): string => {
  const image = imgUrl || (images[0]?.url ?? '');
  if (isImageName(image)) return `/images/${image}`;
  return isRemote(image) ? image : '';
};

/** Items by order number. */
export async function itemsOf(
  db: Reader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly OrderedItem[]>> {
  const found = ITEM.where('orderNumber', 'in', numbers);
  const rows = await db.rows(found.orderBy('orderNumber').orderBy('orderItems.position'), ITEM_JSON);
  const items = rows.map(({ dto, ...row }) => ({
    ...row,
    image: imageOf(dto),
    options: row.size || row.color ? [[row.size, row.color].filter(Boolean).join(', ')] : [],
  }));
  return Map.groupBy(items, ({ orderNumber }) => orderNumber);
}
