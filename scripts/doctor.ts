import { databaseState, shownAddress, withDatabase } from '#server/db/open-database.ts';
import { type Facts, type Finding, findingsOf, type Severity, shopFacts } from '#server/doctor/check.ts';
import { CHECKS } from '#server/doctor/checks.ts';
import { systemClock } from '#server/process/clock.ts';
import { runProgram } from '#server/process/explained-error.ts';
import { loadSettings, settingsFile } from '#server/settings/load.ts';
import { type Environment, givenIn } from '#server/settings/parse.ts';
import { readSettings, SETTINGS, type Settings } from '#server/settings/settings.ts';

/** `npm run doctor` shows what is set, and what is missing before the first order. It changes nothing. */

const MARKS: Readonly<Record<Severity, string>> = { blocks: 'MUST', warns: 'should' };

/** Returns a setting as it may be shown. A secret is only '(set)'. */
function shown(name: string, value: string): string {
  if (name === 'DATABASE') return shownAddress(value);
  return /SECRET|TOKEN|SMTP_URL/.test(name) ? '(set)' : value;
}

/** Returns a line for each setting that is set. @param own the names that come from the environment itself */
function settingLines(env: Environment, file: string | undefined, own: ReadonlySet<string>): string[] {
  const set = Object.keys(SETTINGS).flatMap((name) => {
    const value = env[name]?.trim();
    return value ? [{ name, value: shown(name, value), isOwn: own.has(name) }] : [];
  });
  const width = Math.max(0, ...set.map(({ name }) => name.length));
  return [
    file ? `Settings of ${file}` : 'No settings file: set SHOP_ENV, or copy shop.env.example to .env.',
    ...set.map(
      ({ name, value, isOwn }) =>
        `  ${name.padEnd(width)}  ${value}${isOwn ? '  (from the environment)' : ''}`,
    ),
  ];
}

function findingLines(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return ['Nothing is missing.'];
  const blocking = findings.filter(({ severity }) => severity === 'blocks').length;
  return [
    'Before you open',
    ...findings.flatMap(({ severity, problem, todo }) => [
      `  ${MARKS[severity].padEnd(6)}  ${problem}`,
      `          ${todo}`,
    ]),
    '',
    blocking === 0 ? 'Nothing that blocks.' : `${blocking} must be done before the first order.`,
  ];
}

/** Returns undefined if a setting is invalid, which a check reports. */
function usableSettings(): Settings | undefined {
  try {
    return readSettings(process.env);
  } catch {
    return undefined;
  }
}

runProgram(async () => {
  const own = new Set(Object.keys(givenIn(process.env)));
  loadSettings();
  const settings = usableSettings();
  const find = (shop?: Facts['shop']): Promise<Finding[]> =>
    findingsOf(CHECKS, { env: givenIn(process.env), settings, shop, now: systemClock() });
  // If this program does not fit the database, a check reports it.
  const state = settings && (await databaseState(settings.database).catch(() => 'none'));
  const findings =
    settings && state === 'current'
      ? await withDatabase(settings.database, async (db) => find(await shopFacts(db)))
      : await find();
  const lines = [...settingLines(process.env, settingsFile(process.env), own), '', ...findingLines(findings)];
  console.log(lines.join('\n'));
  if (findings.some(({ severity }) => severity === 'blocks')) process.exitCode = 1;
});
