import { parseArgs } from 'node:util';
import { shownAddress } from '#server/db/open-database.ts';
import { backUp, restore } from '#server/db/transfer/backup.ts';
import { systemClock } from '#server/process/clock.ts';
import { ExplainedError, runProgram } from '#server/process/explained-error.ts';
import { loadSettings } from '#server/settings/load.ts';
import { readSettings } from '#server/settings/settings.ts';

runProgram(async () => {
  loadSettings();
  const { values, positionals } = parseArgs({
    options: { restore: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) {
    throw new ExplainedError('npm run backup -- FILE, or npm run backup -- --restore FILE');
  }
  const { database } = readSettings(process.env);
  const name = shownAddress(database);
  if (values.restore) await restore(database, file, systemClock());
  else await backUp(database, file, systemClock());
  console.log(
    values.restore
      ? `${name} has what is in ${file}.\nNobody is signed in, and the staff has neither passwords nor recovery codes: npm run staff -- link EMAIL lets an owner in.`
      : `${file} has what is in ${name}.`,
  );
});
