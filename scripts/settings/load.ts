import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { loadEnv, settingsFile } from '#scripts/program/load-env.ts';
import type { Environment } from '#scripts/program/setting.ts';
import { unknownSettings } from './table.ts';

/** The settings of the file, with its name; undefined where there is none. */
export function readSettingsFile(
  env: Environment,
): { readonly file: string; readonly values: NodeJS.Dict<string> } | undefined {
  const file = settingsFile(env);
  return file === undefined ? undefined : { file, values: parseEnv(readFileSync(file, 'utf8')) };
}

/**
 * Adds the settings file to the environment of this program, and names what in it is no setting. Every program that an
 * owner starts calls this first.
 * @throws ExplainedError
 */
export function loadSettings(): void {
  loadEnv();
  const found = readSettingsFile(process.env);
  if (!found) return;
  for (const line of unknownSettings(Object.keys(found.values)))
    console.warn(`[settings] ${found.file}: ${line}`);
}
