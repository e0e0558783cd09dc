import { existsSync } from 'node:fs';

/**
 * Adds the settings of `.env` to the environment. A variable that is already set wins. Pages, headers and policies must
 * see the same settings, so `.env` is the only such file: Vite's `.env.local` and the like are switched off.
 */
export function loadEnv(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
