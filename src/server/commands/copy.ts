import { formatPaise } from '#domain/money.ts';
import { shownAddress } from '#server/db/open-database.ts';
import { copyToPostgres } from '#server/db/transfer/copy-to-postgres.ts';
import { ExplainedError, runProgram } from '#server/process/explained-error.ts';
import { loadSettings } from '#server/settings/load.ts';
import { isPostgres, readSettings } from '#server/settings/settings.ts';

const USAGE = `DATABASE=postgres://user:password@host/name npm run copy -- FILE

Copies the SQLite shop in FILE into the PostgreSQL that DATABASE names.`;

runProgram(async () => {
  loadSettings();
  const { database } = readSettings(process.env);
  const [file, ...others] = process.argv.slice(2);
  if (file === undefined || others.length > 0 || !isPostgres(database)) throw new ExplainedError(USAGE);
  const { tables, totals } = await copyToPostgres(file, database);
  const lines = [
    ...tables.map(({ name, rows }) => [name, `${rows} rows`]),
    ...totals.map(({ what, paise }) => [what, formatPaise(Number(paise))]),
  ];
  console.log(`${shownAddress(database)} has what is in ${file}. Both were compared:`);
  for (const [what = '', amount = ''] of lines) console.log(`  ${what.padEnd(22)}${amount.padStart(18)}`);
});
