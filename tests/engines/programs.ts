import { existsSync } from 'node:fs';
import { findQuickest, firstProgram } from '#tests/support/find-chromium.ts';
import { openPuppeteer } from './puppeteer.ts';
import type { Engine } from './shopper.ts';
import { openWebKit } from './webkit.ts';

const MINI_BROWSERS = ['x86_64', 'aarch64'].flatMap((machine) =>
  ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'].map(
    (version) => `/usr/lib/${machine}-linux-gnu/${version}/MiniBrowser`,
  ),
);

type Open = (proxyPort: number) => Engine | Promise<Engine>;

/** How each engine is started. Leaves out those of which a program is not installed. */
export function findEngines(): Readonly<Record<string, Open>> {
  const [chromium, firefox] = [findQuickest(), firstProgram('firefox-esr', 'firefox')];
  const [driver, miniBrowser] = [firstProgram('WebKitWebDriver'), MINI_BROWSERS.find(existsSync)];
  return {
    ...(chromium && { chromium: (port: number) => openPuppeteer('chrome', chromium, port) }),
    ...(firefox && { firefox: (port: number) => openPuppeteer('firefox', firefox, port) }),
    ...(driver &&
      miniBrowser &&
      firstProgram('Xvfb') && { webkit: (port: number) => openWebKit(driver, miniBrowser, port) }),
  };
}
