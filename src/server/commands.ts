/** `commands.ts NAME …` is `npm run NAME -- …`: catalogue, staff, backup or copy. Each works on the database of DATABASE. */
import { parseArgs } from 'node:util';
import { formatPaise } from '#domain/money.ts';
import { runCatalogueCommand } from '#server/catalogue/folder/command.ts';
import { requireDatabase, shownAddress, withDatabase } from '#server/db/open-database.ts';
import { backUp, restore } from '#server/db/transfer/backup.ts';
import { copyToPostgres } from '#server/db/transfer/copy-to-postgres.ts';
import { restoredText } from '#server/db/transfer/order-numbers.ts';
import { systemClock } from '#server/process/clock.ts';
import { ExplainedError, runProgram } from '#server/process/explained-error.ts';
import { loadSettings } from '#server/settings/load.ts';
import { isPostgres, readSettings, type Settings } from '#server/settings/settings.ts';
import { runStaffCommand } from '#server/staff/command.ts';

async function runBackup({ database }: Settings, args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    options: { restore: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    throw new ExplainedError('npm run backup -- FILE, or npm run backup -- --restore FILE');
  const name = shownAddress(database);
  if (!values.restore) {
    await backUp(database, file, systemClock());
    return `${file} has what is in ${name}.`;
  }
  const restored = await restore(database, file, systemClock());
  return `${name} has what is in ${file}.\n${restoredText(restored)} Compare the orders with your payment provider's list.\nNobody is signed in, and the staff has neither passwords nor recovery codes: npm run staff -- link EMAIL lets an owner in.`;
}

const COPY_USAGE = `DATABASE=postgres://user:password@host/name npm run copy -- FILE

Copies the SQLite shop in FILE into the PostgreSQL that DATABASE names.`;

async function runCopy({ database }: Settings, [file, ...others]: string[]): Promise<string> {
  if (file === undefined || others.length > 0 || !isPostgres(database)) throw new ExplainedError(COPY_USAGE);
  const figures = await copyToPostgres(file, database);
  const lines = figures.map(({ what, unit, amount }) => {
    const shown = unit === 'rows' ? `${amount} rows` : formatPaise(Number(amount));
    return `  ${what.padEnd(22)}${shown.padStart(18)}`;
  });
  return [`${shownAddress(database)} has what is in ${file}. Both were compared:`, ...lines].join('\n');
}

const COMMANDS: Readonly<Record<string, (settings: Settings, args: string[]) => Promise<string>>> = {
  async catalogue({ database }, args) {
    await requireDatabase(database);
    return withDatabase(database, (db) => runCatalogueCommand(db, args, console.log));
  },
  async staff(settings, args) {
    const { database, apiOrigin, port } = settings;
    await requireDatabase(database);
    const tools = { clock: systemClock, settings, apiOrigin: apiOrigin ?? `http://localhost:${port}` };
    return withDatabase(database, (db) => runStaffCommand({ ...tools, db }, args));
  },
  backup: runBackup,
  copy: runCopy,
};

runProgram(async () => {
  const [, , name = '', ...args] = process.argv;
  loadSettings();
  console.log(await COMMANDS[name]?.(readSettings(process.env), args));
});
