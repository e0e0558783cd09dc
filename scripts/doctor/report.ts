import { shownAddress } from '#scripts/api/db/open-database.ts';
import type { Environment } from '#scripts/settings/parse.ts';
import { SETTINGS } from '#scripts/settings/settings.ts';
import type { Finding, Severity } from './check.ts';

const MARKS: Readonly<Record<Severity, string>> = { blocks: 'MUST', warns: 'should', tells: 'note' };

/** What may be shown of a setting. Of a secret, that it is there. */
function shown(name: string, value: string): string {
  if (name === 'DATABASE') return shownAddress(value);
  return /SECRET|TOKEN|SMTP_URL/.test(name) ? '(set)' : value;
}

/** A line for each setting that is set, with where it is set. @param own the names that stand in the environment itself */
export function settingLines(env: Environment, file: string | undefined, own: ReadonlySet<string>): string[] {
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

/** What is still to do, for a terminal. */
export function findingLines(findings: readonly Finding[]): string[] {
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
