import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'playwright/test';
import { Builder, type WebElement } from 'selenium-webdriver';
import { freePort } from '#tests/support/free-port.ts';
import type { Engine, Found } from './shopper.ts';

const foundAs = (element: WebElement): Found => ({
  place: () => element.getRect(),
  click: () => element.click(),
  type: (text) => element.sendKeys(text),
});

/** Until a new browser counts as crashed, in ms. On a busy machine it takes up to ten seconds. */
const START_DEADLINE = 120_000;

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

  return {
    newBrowser: async ({ isDark }) => {
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
        close: () => driver.quit(),
      };
    },
    close: async () => {
      const exited = [server, display].map((child) => once(child, 'exit'));
      server.kill();
      display.kill();
      await Promise.all(exited);
    },
  };
}
