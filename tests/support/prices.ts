import type { Page } from 'playwright/test';

/** Records each price that the card of this selector shows, from the start of each page that is opened from now on. */
export const watchPrices = (page: Page, card: string): Promise<unknown> =>
  page.addInitScript((selector) => {
    const prices: string[] = [];
    Object.assign(globalThis, { prices });
    new MutationObserver(() => {
      const price = document.querySelector(`${selector} .price strong`)?.textContent?.trim();
      if (price && price !== prices.at(-1)) prices.push(price);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }, card);

/** The prices that the card has shown in the open page, one after the other. */
export const pricesShown = (page: Page): Promise<string[]> =>
  page.evaluate(() => Reflect.get(globalThis, 'prices'));
