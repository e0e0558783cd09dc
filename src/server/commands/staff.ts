import { openExistingDatabase } from '#server/db/open-database.ts';
import { systemClock } from '#server/process/clock.ts';
import { runProgram } from '#server/process/explained-error.ts';
import { randomIds } from '#server/services/ids.ts';
import { loadSettings } from '#server/settings/load.ts';
import { readSettings } from '#server/settings/settings.ts';
import { runStaffCommand } from '#server/staff/command.ts';

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
