import { existsSync } from 'node:fs';
import { systemClock } from '#scripts/api/clock.ts';
import { isPostgres, openDatabase } from '#scripts/api/db/open-database.ts';
import { ExplainedError, runProgram } from '#scripts/api/explained-error.ts';
import { randomIds } from '#scripts/api/ids.ts';
import { runStaffCommand } from '#scripts/api/office/staff/staff-command.ts';
import { readSettings } from '#scripts/api/settings.ts';

runProgram(async () => {
  const { database, apiOrigin, port } = readSettings(process.env);
  if (!isPostgres(database) && !existsSync(database)) {
    throw new ExplainedError(`There is no database ${database} yet. Start the shop first.`);
  }
  const db = await openDatabase(database);
  const origin = apiOrigin ?? `http://localhost:${port}`;
  try {
    const tools = { db, clock: systemClock, ids: randomIds, origin };
    console.log(await runStaffCommand(tools, process.argv.slice(2)));
  } finally {
    await db.close();
  }
});
