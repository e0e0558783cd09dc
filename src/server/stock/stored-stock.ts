import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { markCatalogueChanged } from '#server/db/catalogue-version.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { readMeta, setMeta } from '#server/db/meta.ts';
import { prepared, q } from '#server/db/query.ts';
import {
  type Goods,
  type Move,
  moveGoods,
  piecesOf,
  type Stock,
  type StockEdit,
  type StockRow,
  stockEdits,
} from './stock-facts.ts';

const VERSION = 'stock_version';

/** Changes whenever what is said of a product may change. */
export const stockVersion = async (db: Reader): Promise<string> => (await readMeta(db, VERSION)) ?? '';

/** Call it after all stock is locked, because all sales of the last pieces wait for it. */
const markStockChanged = (transaction: Transaction): Promise<number> =>
  setMeta(transaction, VERSION, randomUUID());

const ROWS = q.selectFrom('stock').select(['productId', 'size', 'pieces', 'download', 'downloadPieces']);

const byProduct = (rows: readonly StockRow[]): Stock => {
  const products: Stock = new Map();
  for (const { productId, size, pieces } of rows)
    products.set(productId, (products.get(productId) ?? new Map()).set(size, pieces));
  return products;
};

/** The rows of all counted products. */
export const wholeStock = async (db: Reader): Promise<ReadonlyMap<string, readonly StockRow[]>> =>
  Map.groupBy(await db.rows(ROWS), ({ productId }) => productId);

/** Those with at most so many pieces. */
export const fewLeft = async (db: Reader, max: number) =>
  // A literal, because a parameter would not use the index.
  byProduct(await db.rows(ROWS.where('pieces', '<=', sql.lit(max))));

const LOCKED = prepared(({ ids }: { ids: readonly string[] }) =>
  ROWS.where('productId', 'in', ids).orderBy('productId').orderBy('size').forNoKeyUpdate(),
);

/** Locks the stock of products. The order of the rows prevents deadlocks: lock all that a transaction changes at once. */
export const lockStock = async (transaction: Transaction, ids: readonly string[]): Promise<Stock> =>
  byProduct(await transaction.rows(LOCKED({ ids })));

const lockStockOf = (transaction: Transaction, goods: readonly Goods[]): Promise<Stock> =>
  lockStock(transaction, [...new Set(goods.map(({ productId }) => productId))]);

const ADD = prepared((row: Goods) =>
  q
    .updateTable('stock')
    .set(({ eb }) => ({ pieces: eb('pieces', '+', row.pieces) }))
    .where('productId', '=', row.productId)
    .where('size', '=', row.size),
);

async function storeMoves(transaction: Transaction, moves: readonly Move[], sign: 1 | -1): Promise<void> {
  for (const { goods, row } of moves)
    await transaction.run(ADD({ ...goods, size: row, pieces: sign * goods.pieces }));
}

const INSERT_HELD = prepared(({ rows }: { rows: readonly (Goods & { orderNumber: number })[] }) =>
  q.insertInto('heldStock').values(rows),
);

/**
 * Takes goods for an order, by the sizes that it names or that they come from. The stock must be locked and suffice.
 * @param upTo how few pieces of a product are shown
 */
export async function holdStock(
  transaction: Transaction,
  orderNumber: number,
  stock: Stock,
  goods: readonly Goods[],
  upTo: (productId: string) => number,
): Promise<void> {
  const moves = moveGoods(stock, goods, -1);
  if (moves.length === 0) return;
  const held = Map.groupBy(moves, ({ goods: { productId, size } }) => JSON.stringify([productId, size]));
  const rows = [...held.values()].flatMap((same) =>
    same.slice(0, 1).map(({ goods: { productId, size } }) => {
      const pieces = same.reduce((sum, { goods }) => sum + goods.pieces, 0);
      return { orderNumber, productId, size, pieces };
    }),
  );
  await transaction.run(INSERT_HELD({ rows }));
  await storeMoves(transaction, moves, -1);
  const isShown = ({ goods: { productId }, row }: Move): boolean =>
    (stock.get(productId)?.get(row) ?? 0) <= upTo(productId);
  if (moves.some(isShown)) await markStockChanged(transaction);
}

const HELD = prepared(({ orderNumber }: { orderNumber: number }) =>
  q
    .selectFrom('heldStock')
    .select(['productId', 'size', 'pieces', 'givenBack'])
    .where('orderNumber', '=', orderNumber)
    .orderBy('productId')
    .orderBy('size'),
);

/** Moves goods between an order and the stock, which must be locked. @param sign 1 gives them back, -1 takes them again */
async function exchange(
  transaction: Transaction,
  orderNumber: number,
  stock: Stock,
  goods: readonly Goods[],
  sign: 1 | -1,
): Promise<void> {
  for (const { productId, size, pieces } of goods)
    await transaction.run(
      q
        .updateTable('heldStock')
        .set(({ eb }) => ({ givenBack: eb('givenBack', '+', sign * pieces) }))
        .where('orderNumber', '=', orderNumber)
        .where('productId', '=', productId)
        .where('size', '=', size),
    );
  await storeMoves(transaction, moveGoods(stock, goods, sign), sign);
  await markStockChanged(transaction);
}

/** Gives goods of an order back, at most what it holds. Those without a size are of any. The order must be locked. */
export async function restock(
  transaction: Transaction,
  orderNumber: number,
  goods: readonly Goods[],
): Promise<void> {
  const left = goods.map((each) => ({ ...each }));
  const held = await transaction.rows(HELD({ orderNumber }));
  const back = held.flatMap(({ givenBack, ...row }) => {
    let pieces = 0;
    for (const each of left) {
      const isSame = each.productId === row.productId && (each.size === '' || each.size === row.size);
      const part = isSame ? Math.min(each.pieces, row.pieces - givenBack - pieces) : 0;
      each.pieces -= part;
      pieces += part;
    }
    return pieces > 0 ? [{ ...row, pieces }] : [];
  });
  if (back.length === 0) return;
  await exchange(transaction, orderNumber, await lockStockOf(transaction, back), back, 1);
}

/**
 * Takes again what an order gave back, because it lives again. The order must be locked.
 * Returns goods of which too few are left; then nothing is taken.
 */
export async function takeAgain(transaction: Transaction, orderNumber: number): Promise<Goods | undefined> {
  const rows = await transaction.rows(HELD({ orderNumber }));
  const goods = rows
    .map(({ givenBack, ...row }) => ({ ...row, pieces: givenBack }))
    .filter(({ pieces }) => pieces > 0);
  if (goods.length === 0) return undefined;
  const stock = await lockStockOf(transaction, goods);
  const after: Stock = new Map([...stock].map(([id, pieces]) => [id, new Map(pieces)]));
  const moves = moveGoods(after, goods, -1);
  const short = moves.find(({ goods: { productId }, row }) => (after.get(productId)?.get(row) ?? 0) < 0);
  if (!short) await exchange(transaction, orderNumber, stock, goods, -1);
  return short?.goods;
}

/** Returns the stock of a product, and how few are left of a size when the staff want to know. */
export async function productStock(db: Reader, productId: string) {
  const rows = await db.rows(ROWS.select('low').where('productId', '=', productId));
  return { pieces: piecesOf(rows), low: rows[0]?.low ?? null };
}

/** The products of which few are left, by the mark of the staff. */
export const lowProducts = async (db: Reader): Promise<ReadonlySet<string>> => {
  const low = q.selectFrom('stock').innerJoin('products', 'products.id', 'stock.productId');
  const rows = await db.rows(
    low
      .select('productId')
      .where('discontinued', '=', 0)
      .where(({ eb, ref }) => eb('pieces', '<=', ref('low'))),
  );
  return new Set(rows.map(({ productId }) => productId));
};

export const setLowMark = (transaction: Transaction, productId: string, low: number | null) =>
  transaction.run(q.updateTable('stock').set({ low }).where('productId', '=', productId));

/** Stores an edit of the staff or a file. Call it after `lockCatalogue`. Returns whether anything changed. */
export async function editStock(
  transaction: Transaction,
  productId: string,
  edit: StockEdit,
): Promise<boolean> {
  const own = ROWS.select('low').where('productId', '=', productId);
  const rows = await transaction.rows(own.orderBy('size').forNoKeyUpdate());
  const edits = stockEdits(rows, edit);
  for (const { size, input = null, pieces } of edits) {
    const columns = { pieces: pieces ?? 0, download: edit.download ?? '', downloadPieces: input };
    const row = { productId, size, low: rows[0]?.low ?? null, ...columns };
    const insert = q.insertInto('stock').values(row);
    const remove = q.deleteFrom('stock').where('productId', '=', productId).where('size', '=', size);
    await transaction.run(
      pieces === undefined
        ? remove
        : insert.onConflict((key) => key.columns(['productId', 'size']).doUpdateSet(columns)),
    );
  }
  if (edits.length > 0) await markStockChanged(transaction);
  // The API reads with the catalogue what is counted.
  const isRecounted = edits.some(
    ({ size, pieces }) => pieces === undefined || rows.every((row) => row.size !== size),
  );
  if (isRecounted) await markCatalogueChanged(transaction);
  return edits.length > 0;
}
