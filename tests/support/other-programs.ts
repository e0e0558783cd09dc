import { expect, type Page } from 'playwright/test';
import { untilPainted } from './page.ts';

/*
 * Other programs change a page: a page translation replaces all texts, again after each change; a password manager fills
 * in the fields; and the browser wrongly reports that there is no network. A test of each page with a script meets them.
 */

/** Replaces each text by a copy in <font>, like the page translation of Chrome, and records the text that it replaced. */
export function replaceTexts(): void {
  const replaced = new Map<Text, { readonly copy: HTMLElement; readonly data: string }>();
  const work = (): void => {
    observer.disconnect();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node instanceof Text && !node.parentElement?.closest('font, script, style, textarea'))
        texts.push(node);
    for (const text of texts) {
      const copy = document.createElement('font');
      copy.append(document.createElement('font'));
      // The space changes the text, but not the names by which a test finds an element.
      copy.firstElementChild?.append(`${text.data} `);
      replaced.set(text, { copy, data: text.data });
      text.replaceWith(copy);
    }
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  };
  const observer = new MutationObserver(work);
  /** Texts that React changed only in a node that is no longer on the page. */
  const stale = (): string[] =>
    [...replaced]
      .filter(([text, { copy, data }]) => copy.isConnected && text.data !== data)
      .map(([{ data }]) => data);
  Object.assign(globalThis, { stale });
  work();
}

/** Translates the open page after its islands have hydrated, and every change of it. */
export async function translatePage(page: Page): Promise<void> {
  await expect(page.locator('[data-hydrated=false]')).toHaveCount(0);
  await page.evaluate(replaceTexts);
}

export async function openTranslated(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await translatePage(page);
}

/** Sets the values of fields by their names, of every second one without an event. */
export const fillByProgram = (page: Page, values: Readonly<Record<string, string>>): Promise<void> =>
  page.evaluate((entries) => {
    for (const [index, [name, value]] of entries.entries()) {
      const field = document.querySelector<HTMLInputElement>(
        `main [name="${name}"], dialog [name="${name}"]`,
      );
      if (!field) throw new Error(`There is no field ${name}.`);
      if (field.type === 'checkbox') field.checked = value === 'true';
      else field.value = value;
      if (index % 2 === 1)
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }, Object.entries(values));

/** The browser reports that there is no network, from the next page on. */
export const reportNoNetwork = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }));

/** Expects that no island of a translated page has stopped, or changes texts that are no longer on the page. */
export async function expectAlive(page: Page): Promise<void> {
  await untilPainted(page);
  const stale = await page.evaluate((): string[] => Reflect.get(globalThis, 'stale')());
  expect(stale, 'texts that React has changed in vain').toEqual([]);
  await expect(page.getByText('This part of the page has stopped')).toHaveCount(0);
}
