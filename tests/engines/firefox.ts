import { ElementHandle, launch } from 'puppeteer-core';
import type { Browser, Found } from './shopper.ts';

const foundAs = (element: ElementHandle<Element>): Found => ({
  place: () => element.boundingBox(),
  click: () => element.click(),
  type: (text) => element.type(text),
});

/** Starts the system's Firefox with a new profile. Puppeteer drives it by WebDriver BiDi. */
export async function openFirefox(program: string): Promise<Browser> {
  const firefox = await launch({
    browser: 'firefox',
    executablePath: program,
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
    // The page gets the size of the window, as it does for a person.
    defaultViewport: null,
  });
  const page = (await firefox.pages())[0] ?? (await firefox.newPage());

  return {
    open: (url) => page.goto(url),
    address: async () => page.evaluate(() => location.href),
    reload: () => page.reload(),
    resize: (width, height) => page.setViewport({ width, height }),
    evaluate: (work, ...given) => page.evaluate(work, ...given),
    find: async (work, ...given) => {
      const found = await page.evaluateHandle(work, ...given);
      return found instanceof ElementHandle ? foundAs(found) : undefined;
    },
    close: () => firefox.close(),
  };
}
