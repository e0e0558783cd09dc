import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const PLACES = [...(process.env.PATH ?? '').split(delimiter), '/Applications/Firefox.app/Contents/MacOS'];
const MINI_BROWSERS = ['x86_64', 'aarch64'].flatMap((machine) =>
  ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'].map(
    (version) => `/usr/lib/${machine}-linux-gnu/${version}/MiniBrowser`,
  ),
);

const find = (...names: string[]): string | undefined =>
  PLACES.flatMap((place) => names.map((name) => join(place, name))).find(existsSync);

/** The paths of the programs that the engines need; undefined for a program that is not installed. */
export const PROGRAMS = {
  firefox: find('firefox-esr', 'firefox'),
  webKitDriver: find('WebKitWebDriver'),
  miniBrowser: MINI_BROWSERS.find(existsSync),
};

/** What must be installed before an engine's journeys can run, by engine. */
export const MISSING = new Map<string, string>();
if (!PROGRAMS.firefox)
  MISSING.set('firefox', 'there is no Firefox here (Debian: apt-get install firefox-esr)');
if (!PROGRAMS.webKitDriver || !PROGRAMS.miniBrowser || !process.env.DISPLAY)
  MISSING.set(
    'webkit',
    'there is no WebKitGTK with its driver and a display here (Debian: apt-get install webkit2gtk-driver xvfb, and xvfb-run before the command)',
  );
