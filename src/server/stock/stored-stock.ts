import { randomUUID } from 'node:crypto';
import { FEW } from '#domain/buying/rules.ts';
import { markCatalogueChanged } from '#server/db/catalogue-version.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { readMeta, setMeta } from '#server/db/meta.ts';
import { prepared, q } from '#server/db/query.ts';
import type { Pieces, Wanted } from './stock-facts.ts';

const VERSION = 'stock_version';

/** Changes whenever few pieces of something are left, before or after a change. */
export const stockVersion = async (db: Reader): Promise<string> => (await readMeta(db, VERSION)) ?? '';

/** Call it after all stock is locked, because all sales of the last pieces wait for it. */
const markStockChanged = (transaction: Transaction): Promise<number> =>
  setMeta(transaction, VERSION, randomUUID());

const ROWS = q.selectFrom('stock').select(['productId', 'size', 'pieces']);

type Row = Wanted;

const byProduct = (rows: readonly Row[]): Map<string, Map<string, number>> => {
  const products = new Map<string, Map<string, number>>();
  for (const { productId, size, pieces } of rows)
    products.set(productId, (products.get(productId) ?? new Map()).set(size, pieces));
  return products;
};

export const storedStock = async (
  db: Reader,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, Pieces>> =>
  byProduct(await db.rows(ROWS.where('productId', 'in', productIds)));

/** All counted products and sizes. */
export const wholeStock = async (db: Reader) => byProduct(await db.rows(ROWS));

/** Those with few pieces left, which alone the API shows. */
export const fewLeft = async (db: Reader) => byProduct(await db.rows(ROWS.where('pieces', '<=', FEW)));

const LOCKED = prepared(({ ids }: { ids: readonly string[] }) =>
  ROWS.where('productId', 'in', ids).orderBy('productId').orderBy('size').forNoKeyUpdate(),
);

/** Locks the stock of products. The order of the rows prevents deadlocks: lock all that a transaction changes at once. */
export const lockStock = async (transaction: Transaction, ids: readonly string[]) =>
  byProduct(await transaction.rows(LOCKED({ ids })));

const CHANGE = prepared((row: { productId: string; size: string; pieces: number }) =>
  q
    .updateTable('stock')
    .set(({ eb }) => ({ pieces: eb('pieces', '+', row.pieces) }))
    .where('productId', '=', row.productId)
    .where('size', '=', row.size)
    .returning('pieces'),
);

/** Adds pieces, or takes them where the number is negative. Products that are no longer counted stay uncounted. */
async function addPieces(transaction: Transaction, rows: readonly Row[]): Promise<void> {
  let isShown = false;
  for (const row of rows) {
    const [changed] = await transaction.rows(CHANGE(row));
    if (changed && (changed.pieces <= FEW || changed.pieces - row.pieces <= FEW)) isShown = true;
  }
  if (isShown) await markStockChanged(transaction);
}

const negative = (rows: readonly Row[]): Row[] => rows.map((row) => ({ ...row, pieces: -row.pieces }));

const INSERT_HELD = prepared(({ rows }: { rows: readonly (Row & { orderNumber: number })[] }) =>
  q.insertInto('heldStock').values(rows),
);

/** Takes pieces for an order. Their stock must be locked and suffice. */
export async function holdStock(
  transaction: Transaction,
  orderNumber: number,
  taken: readonly Row[],
): Promise<void> {
  if (taken.length === 0) return;
  await transaction.run(INSERT_HELD({ rows: taken.map((row) => ({ orderNumber, ...row })) }));
  await addPieces(transaction, negative(taken));
}

const HELD = prepared(({ orderNumber }: { orderNumber: number }) =>
  q
    .selectFrom('heldStock')
    .select(['productId', 'size', 'pieces', 'givenBack'])
    .where('orderNumber', '=', orderNumber)
    .orderBy('productId')
    .orderBy('size'),
);

const setGivenBack = (transaction: Transaction, orderNumber: number, { productId, size, pieces }: Row) =>
  transaction.run(
    q
      .updateTable('heldStock')
      .set({ givenBack: pieces })
      .where('orderNumber', '=', orderNumber)
      .where('productId', '=', productId)
      .where('size', '=', size),
  );

/**
 * Gives back what an order holds, at most what it took. The order must be locked.
 * @param only the pieces to give back, by product and size ('' is any size); without it all of them
 */
export async function restock(
  transaction: Transaction,
  orderNumber: number,
  only?: readonly Wanted[],
): Promise<void> {
  const held = await transaction.rows(HELD({ orderNumber }));
  const returned: Row[] = [];
  const left = only?.map((each) => ({ ...each }));
  for (const { givenBack, ...row } of held) {
    let pieces = row.pieces - givenBack;
    if (left) {
      const fitting = left.filter(
        ({ productId, size }) =>
          productId === row.productId && (size === row.size || size === '' || row.size === ''),
      );
      let taken = 0;
      for (const each of fitting) {
        const part = Math.min(each.pieces, pieces - taken);
        each.pieces -= part;
        taken += part;
      }
      pieces = taken;
    }
    if (pieces > 0) {
      await setGivenBack(transaction, orderNumber, { ...row, pieces: givenBack + pieces });
      returned.push({ ...row, pieces });
    }
  }
  if (returned.length > 0)
    await lockStock(transaction, [...new Set(returned.map(({ productId }) => productId))]);
  await addPieces(transaction, returned);
}

/**
 * Takes again what an order gave back, because it lives again. The order must be locked.
 * Returns the product of which too little is left; then nothing is taken.
 */
export async function takeAgain(
  transaction: Transaction,
  orderNumber: number,
): Promise<{ readonly productId: string; readonly size: string } | undefined> {
  const gone = (await transaction.rows(HELD({ orderNumber }))).filter(({ givenBack }) => givenBack > 0);
  if (gone.length === 0) return undefined;
  const stock = await lockStock(transaction, [...new Set(gone.map(({ productId }) => productId))]);
  const missing = gone.find(
    ({ productId, size, givenBack }) => (stock.get(productId)?.get(size) ?? givenBack) < givenBack,
  );
  if (missing) return missing;
  for (const row of gone) await setGivenBack(transaction, orderNumber, { ...row, pieces: 0 });
  await addPieces(
    transaction,
    gone.map(({ givenBack, ...row }) => ({ ...row, pieces: -givenBack })),
  );
  return undefined;
}

/** Returns the stock of a product, and how few are left of a size when the staff want to know. */
export async function productStock(db: Reader, productId: string) {
  const rows = await db.rows(ROWS.select('low').where('productId', '=', productId));
  const pieces: Pieces = new Map(rows.map((row) => [row.size, row.pieces]));
  return { pieces, low: rows[0]?.low ?? null };
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

/**
 * Stores what the staff or a file say of a product's stock. A number changes it by its difference to `before`, so that what
 * was sold meanwhile stays sold, though never below 0. Without `before` it is set. Call it after `lockCatalogue`.
 * Returns whether it changed.
 */
export async function editStock(
  transaction: Transaction,
  productId: string,
  now: Pieces,
  before?: Pieces,
): Promise<boolean> {
  const stored = (await lockStock(transaction, [productId])).get(productId) ?? new Map<string, number>();
  const { low } = await productStock(transaction, productId);
  let isChanged = false;
  let isRecounted = false;
  for (const size of new Set([...stored.keys(), ...(before ?? new Map()).keys(), ...now.keys()])) {
    const [was, typed, current] = [before?.get(size), now.get(size), stored.get(size)];
    const isTyped = before ? was !== typed : current !== typed;
    if (!isTyped) continue;
    isChanged = true;
    if (typed === undefined) {
      await transaction.run(
        q.deleteFrom('stock').where('productId', '=', productId).where('size', '=', size),
      );
      isRecounted = true;
      continue;
    }
    if (current === undefined) isRecounted = true;
    const difference = typed - (was ?? typed);
    const pieces = was === undefined || current === undefined ? typed : Math.max(0, current + difference);
    await transaction.run(
      q
        .insertInto('stock')
        .values({ productId, size, pieces, low })
        .onConflict((conflict) => conflict.columns(['productId', 'size']).doUpdateSet({ pieces })),
    );
  }
  if (isChanged) await markStockChanged(transaction);
  // The API reads with the catalogue what is counted.
  if (isRecounted) await markCatalogueChanged(transaction);
  return isChanged;
}
