import { runCatalogueCommand } from '#scripts/api/catalogue-command.ts';
import { openDatabase } from '#scripts/api/db/open-database.ts';
import { runProgram } from '#scripts/api/explained-error.ts';
import { readSettings } from '#scripts/api/settings.ts';

runProgram(async () => {
  const { database, catalogue } = readSettings(process.env);
  const db = await openDatabase(database);
  try {
    console.log(await runCatalogueCommand(db, catalogue, process.argv.slice(2)));
  } finally {
    await db.close();
  }
});
