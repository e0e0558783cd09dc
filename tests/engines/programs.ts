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
  /** A virtual display, for a machine without a screen. */
  xvfb: find('Xvfb'),
};

const hasScreen = Boolean(process.env.DISPLAY || PROGRAMS.xvfb);

/** What must be installed before an engine's journeys can run; undefined if nothing is missing. */
export const MISSING = {
  firefox: PROGRAMS.firefox ? undefined : 'there is no Firefox here (Debian: apt-get install firefox-esr)',
  webkit:
    PROGRAMS.webKitDriver && PROGRAMS.miniBrowser && hasScreen
      ? undefined
      : 'there is no WebKitGTK with its driver and a display here (Debian: apt-get install webkit2gtk-driver xvfb)',
};

export type EngineName = keyof typeof MISSING;
