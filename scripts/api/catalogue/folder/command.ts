import { resolve } from 'node:path';
import type { Database } from '#scripts/api/db/database.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import { exportCatalogue } from './export.ts';
import { importCatalogue } from './import.ts';
import { readCatalogue } from './read.ts';

const USAGE = `npm run catalogue                     replaces what the shop sells by what the folder holds
npm run catalogue -- export           writes what the shop sells into the folder
npm run catalogue -- export FOLDER    writes it into a new folder`;

async function bringIn(db: Database, folder: string): Promise<string> {
  const { changed, products, gone } = await importCatalogue(db, readCatalogue(folder));
  if (!changed) return `Nothing has changed: ${products} products.`;
  const left = gone > 0 ? `, ${gone} no longer` : '';
  return `${products} products are on sale${left}. Orders and customers are as they were.`;
}

/** Runs `npm run catalogue` with the given arguments, and returns the text to print. @throws ExplainedError */
export async function runCatalogueCommand(
  db: Database,
  catalogue: string,
  args: readonly string[],
): Promise<string> {
  const [command, folder = catalogue, ...others] = args;
  if (command === undefined) return bringIn(db, catalogue);
  if (command !== 'export' || folder.startsWith('-') || others.length > 0) throw new ExplainedError(USAGE);
  const { products } = await exportCatalogue(db, folder, resolve(folder) === resolve(catalogue));
  return `${folder} holds what the shop sells: ${products} products.`;
}
