import { existsSync } from 'node:fs';
import { isPostgres, openDatabase } from '#scripts/api/db/open-database.ts';
import { runOrdersCommand } from '#scripts/api/orders/command.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { readSettings } from '#scripts/api/shop/settings.ts';
import { systemClock } from '#scripts/program/clock.ts';
import { ExplainedError, runProgram } from '#scripts/program/explained-error.ts';

runProgram(async () => {
  const settings = readSettings(process.env);
  const { database } = settings;
  if (!isPostgres(database) && !existsSync(database)) {
    throw new ExplainedError(`There is no database ${database} yet. Start the shop first.`);
  }
  const db = await openDatabase(database);
  try {
    console.log(
      await runOrdersCommand(db, process.argv.slice(2), { settings, clock: systemClock, ids: randomIds }),
    );
  } finally {
    await db.close();
  }
});
