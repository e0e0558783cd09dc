import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'playwright/test';
import { Builder, type WebDriver, type WebElement } from 'selenium-webdriver';
import { freePort } from '#tests/support/free-port.ts';
import type { Engine, Found } from './shopper.ts';

const foundAs = (element: WebElement): Found => ({
  place: () => element.getRect(),
  click: () => element.click(),
  type: (text) => element.sendKeys(text),
});

/** Until a new browser counts as crashed, in ms. On a busy machine it takes up to ten seconds. */
const START_DEADLINE = 120_000;

/** Of the window at the start of a test. */
const SIZE = { width: 800, height: 600 };

/** Starts WebKitWebDriver on a display of its own. It starts a MiniBrowser for each session; Selenium drives both. */
export async function openWebKit(program: string, miniBrowser: string, proxyPort: number): Promise<Engine> {
  // Xvfb chooses a free display and writes its number.
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await once(display.stdout, 'data');
  const port = await freePort();
  const server = spawn(program, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${String(number).trim()}` },
  });
  const address = `http://127.0.0.1:${port}`;
  await expect(async () => expect((await fetch(`${address}/status`)).ok).toBe(true)).toPass();

  /** The driver has one browser at a time. Its start takes as long as a visit, so tests share it. */
  let browser: { readonly isDark: boolean; readonly driver: WebDriver } | undefined;

  async function startBrowser(isDark: boolean): Promise<WebDriver> {
    const start = () =>
      new Builder()
        .usingServer(address)
        .withCapabilities({
          browserName: 'MiniBrowser',
          proxy: { proxyType: 'manual', httpProxy: `127.0.0.1:${proxyPort}` },
          'webkitgtk:browserOptions': {
            binary: miniBrowser,
            args: ['--automation', ...(isDark ? ['--dark-mode'] : [])],
          },
        })
        .build();
    // WebKitWebDriver never answers for a MiniBrowser that crashed while it started.
    const answered = () => Promise.race([start(), wait(START_DEADLINE, undefined, { ref: false })]);
    const driver = (await answered()) ?? (await answered());
    if (!driver) throw new Error('MiniBrowser did not start, twice.');
    // For what hangs, not for what is slow. By itself, the limit is 30 s.
    await driver.manage().setTimeouts({ script: 150_000, pageLoad: 150_000 });
    return driver;
  }

  return {
    newBrowser: async ({ isDark }) => {
      if (browser?.isDark !== isDark) {
        await browser?.driver.quit();
        browser = { isDark, driver: await startBrowser(isDark) };
      }
      const { driver } = browser;
      await driver.manage().window().setRect(SIZE);
      return {
        open: (url) => driver.get(url),
        address: () => driver.getCurrentUrl(),
        resize: (width, height) => driver.manage().window().setRect({ width, height }),
        evaluate: (work, ...given) => driver.executeScript(work, ...given),
        find: async (work, ...given) => {
          const element = await driver.executeScript<WebElement | null>(work, ...given);
          return element ? foundAs(element) : undefined;
        },
        openTab: () => driver.switchTo().newWindow('tab'),
        showTab: async (index) => driver.switchTo().window((await driver.getAllWindowHandles())[index] ?? ''),
        close: async () => {
          const [first = '', ...others] = await driver.getAllWindowHandles();
          for (const tab of others) {
            await driver.switchTo().window(tab);
            await driver.close();
          }
          await driver.switchTo().window(first);
          await driver.manage().deleteAllCookies();
          await driver.get('about:blank');
        },
      };
    },
    close: async () => {
      await browser?.driver.quit();
      const exited = [server, display].map((child) => once(child, 'exit'));
      server.kill();
      display.kill();
      await Promise.all(exited);
    },
  };
}
