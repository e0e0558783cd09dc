import * as v from 'valibot';
import type { Reader } from '#server/db/database.ts';
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

const ImagesSchema = v.fallback(
  v.pipe(
    v.string(),
    v.parseJson(),
    v.object({ imgUrl: v.string(), images: v.array(v.object({ url: v.string() })) }),
  ),
  { imgUrl: '', images: [] },
);

const LinesSchema = v.fallback(
  v.pipe(
    v.string(),
    v.parseJson(),
    v.array(
      v.object({
        id: v.string(),
        quantity: v.number(),
        selectedSize: v.nullish(v.string(), ''),
        selectedColor: v.nullish(v.string(), ''),
      }),
    ),
  ),
  [],
);

const RowSchema = v.object({
  orderNumber: v.number(),
  productId: v.string(),
  title: v.string(),
  quantity: v.number(),
  unitPaise: v.number(),
  dto: ImagesSchema,
  lines: v.nullable(LinesSchema),
});

type Row = v.InferOutput<typeof RowSchema>;

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
  if (numbers.length === 0) return new Map();
  const rows = await db.all(
    RowSchema,
    `SELECT order_number AS "orderNumber", product_id AS "productId", order_items.title, quantity,
       order_items.unit_paise AS "unitPaise", dto, lines
     FROM order_items JOIN products ON products.id = product_id JOIN orders ON number = order_number
     WHERE order_number IN (${numbers.map(() => '?').join()}) ORDER BY order_number, order_items.position`,
    ...numbers,
  );
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
