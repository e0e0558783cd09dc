import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { ExplainedError } from '#server/process/explained-error.ts';
import type { Environment } from './parse.ts';
import { unknownSettings } from './settings.ts';

const IN_PROJECT = fileURLToPath(new URL('../../../.env', import.meta.url));

/** Returns the file that SHOP_ENV names, else `.env` of the project; undefined if there is none. */
export function settingsFile({ SHOP_ENV }: Environment): string | undefined {
  if (!SHOP_ENV) return existsSync(IN_PROJECT) ? IN_PROJECT : undefined;
  if (!existsSync(SHOP_ENV))
    throw new ExplainedError(`SHOP_ENV names ${SHOP_ENV}, and there is no such file.`);
  return SHOP_ENV;
}

/**
 * Adds the settings file to the environment, and returns its path. Variables that are already set win. Pages,
 * headers and policies must see the same settings, so this is the only such file: Vite's `.env.local` is off.
 * @throws ExplainedError
 */
export function loadEnv(): string | undefined {
  const file = settingsFile(process.env);
  try {
    if (file !== undefined) process.loadEnvFile(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExplainedError(`The settings in ${file} cannot be read: ${reason}`);
  }
  return file;
}

/** Loads the file, and warns of names that are no setting. Every program that an owner starts calls this first. */
export function loadSettings(): void {
  const file = loadEnv();
  if (file === undefined) return;
  for (const line of unknownSettings(Object.keys(parseEnv(readFileSync(file, 'utf8')))))
    console.warn(`[settings] ${file}: ${line}`);
}
