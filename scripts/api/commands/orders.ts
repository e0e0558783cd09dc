import { openExistingDatabase } from '#scripts/api/db/open-database.ts';
import { runOrdersCommand } from '#scripts/api/orders/command.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { readSettings } from '#scripts/api/shop/settings.ts';
import { systemClock } from '#scripts/program/clock.ts';
import { runProgram } from '#scripts/program/explained-error.ts';
import { loadSettings } from '#scripts/settings/load.ts';

runProgram(async () => {
  loadSettings();
  const settings = readSettings(process.env);
  const db = await openExistingDatabase(settings.database);
  try {
    console.log(
      await runOrdersCommand(db, process.argv.slice(2), { settings, clock: systemClock, ids: randomIds }),
    );
  } finally {
    await db.close();
  }
});
