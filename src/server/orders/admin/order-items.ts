import * as v from 'valibot';
import { json } from '#server/db/columns.ts';
import type { Reader } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import { isImageName, isRemote } from '#server/http/names.ts';

export interface OrderedItem {
  readonly orderNumber: number;
  readonly productId: string;
  readonly title: string;
  readonly quantity: number;
  readonly unitPaise: number;
  /** A URL, or ''. */
  readonly image: string;
  /** Sizes and colours, such as '2 × M, red'. May be empty. */
  readonly options: readonly string[];
}

const ITEM = q
  .selectFrom('orderItems')
  .innerJoin('products', 'products.id', 'productId')
  .innerJoin('orders', 'orders.number', 'orderNumber')
  .select([
    'orderNumber',
    'productId',
    'orderItems.title',
    'quantity',
    'orderItems.unitPaise',
    'dto',
    'lines',
  ]);

const ITEM_JSON = {
  dto: v.fallback(json(v.object({ imgUrl: v.string(), images: v.array(v.object({ url: v.string() })) })), {
    imgUrl: '',
    images: [],
  }),
  lines: v.fallback(
    v.nullable(
      json(
        v.array(
          v.object({
            id: v.string(),
            quantity: v.number(),
            selectedSize: v.nullish(v.string(), ''),
            selectedColor: v.nullish(v.string(), ''),
          }),
        ),
      ),
    ),
    [],
  ),
};

type Row = RowOf<typeof ITEM, typeof ITEM_JSON>;

const imageOf = ({ dto: { imgUrl, images } }: Row): string => {
  const image = imgUrl || (images[0]?.url ?? '');
  if (isImageName(image)) return `/images/${image}`;
  return isRemote(image) ? image : '';
};

const optionsOf = ({ lines, productId }: Row): string[] =>
  (lines ?? [])
    .filter(({ id }) => id === productId)
    .map((line) => ({ ...line, chosen: [line.selectedSize, line.selectedColor].filter(Boolean).join(', ') }))
    .filter(({ chosen }) => chosen !== '')
    .map(({ quantity, chosen }) => `${quantity} × ${chosen}`);

/** Items by order number. */
export async function itemsOf(
  db: Reader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly OrderedItem[]>> {
  const found = ITEM.where('orderNumber', 'in', numbers);
  const rows = await db.rows(found.orderBy('orderNumber').orderBy('orderItems.position'), ITEM_JSON);
  const items = rows.map((row) => ({
    orderNumber: row.orderNumber,
    productId: row.productId,
    title: row.title,
    quantity: row.quantity,
    unitPaise: row.unitPaise,
    image: imageOf(row),
    options: optionsOf(row),
  }));
  return Map.groupBy(items, ({ orderNumber }) => orderNumber);
}
