import { openDatabase } from '#scripts/api/db/database.ts';
import { readSettings, SettingsError } from '#scripts/api/settings.ts';
import { importCatalogue } from './import.ts';
import { CatalogueError, readCatalogue } from './read.ts';

async function main(): Promise<void> {
  const { database, catalogue } = readSettings(process.env);
  const content = readCatalogue(catalogue);
  const db = openDatabase(database);
  const { changed, products, gone } = await importCatalogue(db, content);
  db.close();
  console.log(
    changed
      ? `${products} products are on sale${gone > 0 ? `, ${gone} no longer` : ''}. Orders and customers are as they were.`
      : `Nothing has changed: ${products} products.`,
  );
}

main().catch((error: unknown) => {
  const told = error instanceof SettingsError || error instanceof CatalogueError;
  console.error(told ? error.message : error);
  process.exit(1);
});
