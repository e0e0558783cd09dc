import { parseArgs } from 'node:util';
import type { Database } from '#server/db/database.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { exportCatalogue } from './export.ts';
import { importCatalogue } from './import.ts';
import { importProducts } from './import-products.ts';
import { readCatalogue } from './read.ts';

const USAGE = `npm run catalogue -- export FOLDER                     exports what the shop sells into a new folder
npm run catalogue -- replace FOLDER                    replaces what the shop sells by a folder
npm run catalogue -- replace FOLDER --backup BACKUP    also if the shop was edited since the last export: exports what the shop
                                                       sold so far into the new folder BACKUP first
npm run catalogue -- import FILE.csv [--dry-run]       adds and changes products by a product export of Shopify or WooCommerce;
                                                       --dry-run only shows what would be done`;

const OPTIONS = { backup: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch {
    throw new ExplainedError(USAGE);
  }
}

/** Runs `npm run catalogue` with the given arguments, and returns the text to print. @throws ExplainedError */
export async function runCatalogueCommand(
  db: Database,
  args: readonly string[],
  say?: (text: string) => void,
): Promise<string> {
  const { values, positionals } = parse(args);
  const [command, folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new ExplainedError(USAGE);
  switch ([command, ...Object.keys(values)].join(' ')) {
    case 'import':
    case 'import dry-run':
      return importProducts(db, folder, { isDryRun: values['dry-run'] ?? false, ...(say && { say }) });
    case 'export': {
      const { products } = await exportCatalogue(db, folder);
      return `${folder} has what the shop sells: ${products} products.`;
    }
    case 'replace':
    case 'replace backup': {
      const content = readCatalogue(folder);
      if (values.backup !== undefined) await exportCatalogue(db, values.backup);
      const { products, discontinued } = await importCatalogue(db, content);
      const left = discontinued > 0 ? `, ${discontinued} were discontinued` : '';
      return `The shop sells ${products} products${left}. Orders and customers are unchanged.`;
    }
    default:
      throw new ExplainedError(USAGE);
  }
}
