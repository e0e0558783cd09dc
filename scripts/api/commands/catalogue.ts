import { runCatalogueCommand } from '#scripts/api/catalogue/folder/command.ts';
import { openExistingDatabase } from '#scripts/api/db/open-database.ts';
import { runProgram } from '#scripts/program/explained-error.ts';
import { loadSettings } from '#scripts/settings/load.ts';
import { readSettings } from '#scripts/settings/settings.ts';

runProgram(async () => {
  loadSettings();
  const { database } = readSettings(process.env);
  const db = await openExistingDatabase(database);
  try {
    console.log(await runCatalogueCommand(db, process.argv.slice(2)));
  } finally {
    await db.close();
  }
});
