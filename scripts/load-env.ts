import { existsSync } from 'node:fs';

/**
 * Adds the settings of `.env` to the environment, which wins where both have one. Pages, headers and policies must see
 * the same settings, so this is the only file of settings: Vite's own `.env.local` and the like are switched off.
 */
export function loadEnv(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
