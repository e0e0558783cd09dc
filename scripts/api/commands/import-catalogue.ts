import { importCatalogue } from '#scripts/api/catalogue/import.ts';
import { readCatalogue } from '#scripts/api/catalogue/read.ts';
import { openDatabase } from '#scripts/api/db/open-database.ts';
import { runProgram } from '#scripts/api/explained-error.ts';
import { readSettings } from '#scripts/api/settings.ts';

runProgram(async () => {
  const { database, catalogue } = readSettings(process.env);
  const content = readCatalogue(catalogue);
  const db = await openDatabase(database);
  const { changed, products, gone } = await importCatalogue(db, content);
  await db.close();
  console.log(
    changed
      ? `${products} products are on sale${gone > 0 ? `, ${gone} no longer` : ''}. Orders and customers are as they were.`
      : `Nothing has changed: ${products} products.`,
  );
});
