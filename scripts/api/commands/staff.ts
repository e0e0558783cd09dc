import { existsSync } from 'node:fs';
import { isPostgres, openDatabase } from '#scripts/api/db/open-database.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { readSettings } from '#scripts/api/shop/settings.ts';
import { runStaffCommand } from '#scripts/api/staff/command.ts';
import { systemClock } from '#scripts/program/clock.ts';
import { ExplainedError, runProgram } from '#scripts/program/explained-error.ts';

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
