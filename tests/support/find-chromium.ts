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

const firstProgram = (names: readonly string[]): string | undefined =>
  PLACES.flatMap((place) => names.map((name) => join(place, name))).find(isProgram);

/** CHROMIUM_PATH, a Chromium or Chrome of the system, or Playwright's own; undefined where there is none. */
export const findChromium = (): string | undefined => {
  const named = process.env.CHROMIUM_PATH;
  if (named) return isProgram(named) ? named : undefined;
  const own = chromium.executablePath();
  return firstProgram([...NAMES, ...MAC_NAMES]) ?? (isProgram(own) ? own : undefined);
};

/**
 * Chromium's engine without its windows, which takes half the time and has no back/forward cache; CHROMIUM_PATH, or the
 * whole Chromium, where there is none.
 */
export const findHeadlessShell = (): string | undefined =>
  process.env.CHROMIUM_PATH ? findChromium() : (firstProgram([HEADLESS_SHELL]) ?? findChromium());

/** As root Chromium refuses its sandbox; the rest keeps it from calling its maker's hosts. */
export const chromiumArgs = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
];
