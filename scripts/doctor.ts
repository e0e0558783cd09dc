import { openDatabase } from '#scripts/api/db/open-database.ts';
import { findingsOf, machineFacts, shopFacts } from '#scripts/doctor/check.ts';
import { findingLines, settingLines } from '#scripts/doctor/report.ts';
import { CHECKS } from '#scripts/doctor/table.ts';
import { systemClock } from '#scripts/program/clock.ts';
import { runProgram } from '#scripts/program/explained-error.ts';
import { loadEnv, settingsFile } from '#scripts/settings/load.ts';
import { givenIn } from '#scripts/settings/parse.ts';
import { readSettings, type Settings } from '#scripts/settings/settings.ts';
import { databaseState } from './api/db/open-database.ts';

/** `npm run doctor`: what is set, and what is still missing before the first order. It changes nothing. */

/** undefined where a setting is wrong, which a check tells. */
function usableSettings(): Settings | undefined {
  try {
    return readSettings(process.env);
  } catch {
    return undefined;
  }
}

/** Opens the database if this program fits it. Otherwise a check tells what is wrong. */
async function openIfCurrent({ database }: Settings) {
  const state = await databaseState(database).catch(() => 'none');
  return state === 'current' ? openDatabase(database) : undefined;
}

runProgram(async () => {
  const own = new Set(Object.keys(givenIn(process.env)));
  loadEnv();
  const settings = usableSettings();
  const db = settings && (await openIfCurrent(settings));
  try {
    const shop = db && (await shopFacts(db));
    const facts = { ...machineFacts(), env: givenIn(process.env), settings, shop, now: systemClock() };
    const findings = await findingsOf(CHECKS, facts);
    const lines = [
      ...settingLines(process.env, settingsFile(process.env), own),
      '',
      ...findingLines(findings),
    ];
    console.log(lines.join('\n'));
    if (findings.some(({ severity }) => severity === 'blocks')) process.exitCode = 1;
  } finally {
    await db?.close();
  }
});
