import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Database } from '#scripts/api/db/database.ts';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import { exportCatalogue } from './export.ts';
import { importCatalogue } from './import.ts';
import type { Side, Take } from './merge.ts';
import { readCatalogue } from './read.ts';

const USAGE = `npm run catalogue                     brings the folder's changes into the shop
npm run catalogue -- --take SIDE      the same; SIDE is folder or database, for what both have changed,
                                      or folder:NAME or database:NAME, for one thing of that name
npm run catalogue -- export           writes the shop's changes into the folder
npm run catalogue -- export FOLDER    writes what is on sale into a new folder`;

const isSide = (text: string | undefined): text is Side => text === 'folder' || text === 'database';

/** Reads the options `--take`. One that names a part is stronger than one for all. @throws ExplainedError */
function readTake(options: readonly string[]): Take {
  const sides = new Map<string, Side>();
  for (const option of options) {
    const [side, ...name] = option.split(':');
    if (!isSide(side)) throw new ExplainedError(USAGE);
    sides.set(name.join(':'), side);
  }
  return (name) => sides.get(name) ?? sides.get('');
}

async function bringIn(db: Database, folder: string, take: Take): Promise<string> {
  const { changed, products, gone } = await importCatalogue(db, readCatalogue(folder), take);
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
  const parse = () =>
    parseArgs({
      args: [...args],
      options: { take: { type: 'string', multiple: true, default: [] } },
      allowPositionals: true,
    });
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse();
  } catch {
    throw new ExplainedError(USAGE);
  }
  const [command, folder = catalogue, ...others] = parsed.positionals;
  const { take } = parsed.values;
  if (command === undefined) return bringIn(db, catalogue, readTake(take));
  if (command !== 'export' || others.length > 0 || take.length > 0) throw new ExplainedError(USAGE);
  const { products } = await exportCatalogue(db, folder, resolve(folder) === resolve(catalogue));
  return `${folder} holds what is on sale: ${products} products.`;
}
