import { runCatalogueCommand } from '#server/catalogue/folder/command.ts';
import { openExistingDatabase } from '#server/db/open-database.ts';
import { runProgram } from '#server/process/explained-error.ts';
import { loadSettings } from '#server/settings/load.ts';
import { readSettings } from '#server/settings/settings.ts';

runProgram(async () => {
  loadSettings();
  const { database } = readSettings(process.env);
  const db = await openExistingDatabase(database);
  try {
    console.log(await runCatalogueCommand(db, process.argv.slice(2), console.log));
  } finally {
    await db.close();
  }
});
