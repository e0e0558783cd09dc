import { runCatalogueCommand } from '#scripts/api/catalogue/folder/command.ts';
import { openDatabase } from '#scripts/api/db/open-database.ts';
import { readSettings } from '#scripts/api/shop/settings.ts';
import { runProgram } from '#scripts/program/explained-error.ts';

runProgram(async () => {
  const { database, catalogue } = readSettings(process.env);
  const db = await openDatabase(database);
  try {
    console.log(await runCatalogueCommand(db, catalogue, process.argv.slice(2)));
  } finally {
    await db.close();
  }
});
