import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'playwright/test';
import { Builder, type WebElement } from 'selenium-webdriver';
import type { Browser, Found } from './shopper.ts';

const PORT = 20_000 + (process.pid % 20_000);

const foundAs = (element: WebElement): Found => ({
  place: () => element.getRect(),
  click: () => element.click(),
  type: (text) => element.sendKeys(text),
});

/** Starts WebKitWebDriver, which itself starts WebKitGTK's MiniBrowser. Selenium drives it by WebDriver. */
export async function openWebKit(program: string, miniBrowser: string): Promise<Browser> {
  const server = spawn(program, [`--port=${PORT}`, '--host=127.0.0.1'], { stdio: 'ignore' });
  const exited = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill();
    await exited;
  };
  const address = `http://127.0.0.1:${PORT}`;
  try {
    await expect(async () => expect((await fetch(`${address}/status`)).ok).toBe(true)).toPass();
    const driver = await new Builder()
      .usingServer(address)
      .withCapabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
      })
      .build();
    return {
      open: (url) => driver.get(url),
      address: () => driver.getCurrentUrl(),
      reload: () => driver.navigate().refresh(),
      resize: (width, height) => driver.manage().window().setRect({ width, height }),
      evaluate: (work, ...given) => driver.executeScript(work, ...given),
      find: async (work, ...given) => {
        const element = await driver.executeScript<WebElement | null>(work, ...given);
        return element ? foundAs(element) : undefined;
      },
      close: async () => {
        await driver.quit();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
