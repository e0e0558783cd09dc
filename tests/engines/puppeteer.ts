import { ElementHandle, launch } from 'puppeteer-core';
import { chromiumArgs } from '#tests/support/find-chromium.ts';
import type { Engine, Found } from './shopper.ts';

const foundAs = (element: ElementHandle<Element>): Found => ({
  place: () => element.boundingBox(),
  click: () => element.click(),
  type: (text) => element.type(text),
});

/** Starts the system's Chromium or Firefox. Puppeteer drives Firefox by WebDriver BiDi. */
const start = (browser: 'chrome' | 'firefox', executablePath: string, proxyPort: number, isDark: boolean) =>
  launch({
    browser,
    executablePath,
    // The test has a limit of its own.
    protocolTimeout: 0,
    // The page gets the size of the window, as it does for a person.
    defaultViewport: null,
    args:
      browser === 'firefox'
        ? []
        : [
            ...chromiumArgs,
            `--proxy-server=127.0.0.1:${proxyPort}`,
            // Otherwise it reaches localhost without the proxy.
            '--proxy-bypass-list=<-loopback>',
            '--force-prefers-reduced-motion',
            `--blink-settings=preferredColorScheme=${isDark ? 0 : 1}`,
          ],
    extraPrefsFirefox: {
      'ui.prefersReducedMotion': 1,
      'ui.systemUsesDarkTheme': isDark ? 1 : 0,
      'network.proxy.type': 1,
      'network.proxy.http': '127.0.0.1',
      'network.proxy.http_port': proxyPort,
      'network.proxy.allow_hijacking_localhost': true,
      'network.proxy.testing_localhost_is_secure_when_hijacked': true,
    },
  });

export function openPuppeteer(...options: [Parameters<typeof start>[0], string, proxyPort: number]): Engine {
  const programs = new Map<boolean, ReturnType<typeof start>>();
  return {
    newBrowser: async ({ isDark }) => {
      const program = programs.get(isDark) ?? start(...options, isDark);
      programs.set(isDark, program);
      const context = await (await program).createBrowserContext();
      const newTab = async () => {
        // The first tab of Firefox has no focus. This one has.
        const tab = await context.newPage();
        tab.setDefaultTimeout(0);
        return tab;
      };
      const tabs = [await newTab()];
      let [page = await newTab()] = tabs;
      return {
        open: (url) => page.goto(url),
        address: async () => page.evaluate(() => location.href),
        resize: (width, height) => page.setViewport({ width, height }),
        evaluate: (work, ...given) => page.evaluate(work, ...given),
        find: async (work, ...given) => {
          const found = await page.evaluateHandle(work, ...given);
          return found instanceof ElementHandle ? foundAs(found) : undefined;
        },
        openTab: async () => {
          page = await newTab();
          tabs.push(page);
        },
        showTab: async (index) => {
          page = tabs[index] ?? page;
          await page.bringToFront();
        },
        close: () => context.close(),
      };
    },
    close: () => Promise.all([...programs.values()].map(async (program) => (await program).close())),
  };
}
