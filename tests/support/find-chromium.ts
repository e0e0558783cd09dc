import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
const PLACES = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/bin',
  '/snap/bin',
  '/Applications/Google Chrome.app/Contents/MacOS',
  '/Applications/Chromium.app/Contents/MacOS',
  '/Applications/Firefox.app/Contents/MacOS',
];
const MAC_NAMES = ['Google Chrome', 'Chromium'];

const HEADLESS_SHELL = 'chromium-headless-shell';

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Finds the first of these programs that this machine has. */
export const firstProgram = (...names: readonly string[]): string | undefined =>
  PLACES.flatMap((place) => names.map((name) => join(place, name))).find(isProgram);

/** Finds CHROMIUM_PATH, a Chromium or Chrome of the system, or Playwright's own; undefined if there is none. */
export const findChromium = (): string | undefined => {
  const setting = process.env.CHROMIUM_PATH;
  if (setting) return isProgram(setting) ? setting : undefined;
  const playwrights = chromium.executablePath();
  return firstProgram(...NAMES, ...MAC_NAMES) ?? (isProgram(playwrights) ? playwrights : undefined);
};

/** Finds Chromium's headless shell, which takes half the time and has no back/forward cache; undefined if there is none. */
export const findHeadlessShell = (): string | undefined => firstProgram(HEADLESS_SHELL);

/** Finds the quickest browser: CHROMIUM_PATH, the headless shell, or a whole Chromium; undefined if there is none. */
export const findQuickest = (): string | undefined =>
  (process.env.CHROMIUM_PATH ? undefined : findHeadlessShell()) ?? findChromium();

/** Chromium does not start with its sandbox as root. Most of the rest keeps it from calling Google's servers. */
export const chromiumArgs = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
];
