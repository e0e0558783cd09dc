import { openExistingDatabase } from '#scripts/api/db/open-database.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { runStaffCommand } from '#scripts/api/staff/command.ts';
import { systemClock } from '#scripts/program/clock.ts';
import { runProgram } from '#scripts/program/explained-error.ts';
import { loadSettings } from '#scripts/settings/load.ts';
import { readSettings } from '#scripts/settings/settings.ts';

runProgram(async () => {
  loadSettings();
  const { database, apiOrigin, port } = readSettings(process.env);
  const db = await openExistingDatabase(database);
  const origin = apiOrigin ?? `http://localhost:${port}`;
  try {
    const tools = { db, clock: systemClock, ids: randomIds, origin };
    console.log(await runStaffCommand(tools, process.argv.slice(2)));
  } finally {
    await db.close();
  }
});
