import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { BuildError } from './build-error.ts';
import type { Manifest } from './manifest.ts';

const Report = v.object({
  store: v.looseObject({ storeName: v.string() }),
  products: v.array(v.looseObject({ id: v.string(), name: v.string(), price: v.number() })),
  /** Broken products that were left out. */
  dropped: v.number(),
});

export interface CatalogueReport {
  readonly hash: string;
  readonly storeName: string;
  readonly products: Manifest['products'];
  readonly dropped: number;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** What the build says it was made of (CATALOGUE_REPORT of src/catalog.ts). */
export async function readCatalogueReport(file: string): Promise<CatalogueReport> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw new BuildError('The build read no catalogue. Nothing was published.');
  const report = v.parse(Report, JSON.parse(text));
  return {
    hash: sha256(text),
    storeName: report.store.storeName,
    products: Object.fromEntries(
      report.products.map((product) => [
        product.id,
        { name: product.name, price: product.price, hash: sha256(JSON.stringify(product)) },
      ]),
    ),
    dropped: report.dropped,
  };
}
