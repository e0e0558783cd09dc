import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { BuildError } from '#scripts/program/explained-error.ts';
import { ProductRecord } from './manifest.ts';

const CatalogueReport = v.object({
  hash: v.string(),
  shop: v.string(),
  /** Hashes of the store record's parts. Releases of earlier versions have none. */
  store: v.optional(v.record(v.string(), v.string())),
  products: v.record(v.string(), ProductRecord),
  /** The address of the shop. Releases of earlier versions do not name it. */
  siteUrl: v.optional(v.string()),
  /** A hash of the order of the products' ids. Releases of earlier versions have none. */
  order: v.optional(v.string()),
  /** How many broken products were left out. */
  dropped: v.number(),
  /** The offers of the API that the site was built with. Releases of earlier versions name none. */
  offers: v.optional(v.pipe(v.array(v.string()), v.readonly())),
});

export type CatalogueReport = v.InferOutput<typeof CatalogueReport>;

/** Reads the build's report of its catalogue (src/pages/catalogue.json.ts). */
export async function readCatalogueReport(site: string): Promise<CatalogueReport> {
  const text = await readFile(join(site, 'catalogue.json'), 'utf8').catch(() => undefined);
  if (text === undefined) throw new BuildError('The build read no catalogue. Nothing was published.');
  return v.parse(CatalogueReport, JSON.parse(text));
}
