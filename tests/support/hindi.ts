import { expect, type Page } from 'playwright/test';
import { paymentFields } from '#server/payments/payment-fields.ts';
import { METHODS } from '#server/payments/providers/sandbox/sandbox.ts';
import { STORE_DEFAULTS } from '#site.ts';
import type { ShopClient } from './shop-client.ts';

/** Words that are in Latin letters in Hindi too, units, and texts without words. */
const BRANDS =
  /\b(?:UPI|QR|PIN|WhatsApp|KB|MB|B|GST|GSTIN|kg|ml|g|l|XX+)\b|https?:\/\/\S+|[\w.+-]+@[\w.-]+|\b(?:gmail|outlook)\.com\b/g;
/** The catalogue's own long texts, a policy's body, an order's number, and the testers' page. */
const LEFT_ALONE =
  '.policy-text, .specs, .product-line[translate=no], [data-text=id], #payment-closed ~ p, [data-store], .language';

/** Texts of catalogue, store record and gateway, which are not translated; the longest first. */
async function ownTexts(api: ShopClient): Promise<string[]> {
  const products = await api.products();
  const store = await api.ask('storeInfo');
  const texts = new Set<string>();
  const gather = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value)) gather(each);
  };
  gather(products);
  gather(store);
  gather(
    paymentFields(
      Object.values(METHODS).map((option) => ({ option })),
      'en',
    ),
  );
  gather(STORE_DEFAULTS.grievanceOfficer.name);
  return [...texts].filter((text) => /[A-Za-z]/.test(text)).sort((a, b) => b.length - a.length);
}

/** Texts and names in sight that still have Latin letters. */
async function english(page: Page, allowed: readonly string[]): Promise<string[]> {
  const shown = await page.evaluate((leftAlone) => {
    const found: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element?.checkVisibility({ visibilityProperty: true }) || element.closest(leftAlone)) continue;
      if (element.closest('script, style, textarea')) continue;
      if (node instanceof Element) {
        for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'data-label']) {
          found.push(node.getAttribute(name) ?? '');
        }
      } else found.push(node.nodeValue ?? '');
    }
    return found.map((text) => text.trim());
  }, LEFT_ALONE);
  // A size such as S is also a part of words: names first, sizes last.
  const without = (text: string, names: readonly string[]): string =>
    names.reduce((left, name) => left.replaceAll(name, ''), text);
  const [names, sizes] = [
    allowed.filter(({ length }) => length > 3),
    allowed.filter(({ length }) => length <= 3),
  ];
  const rest = (text: string): string => without(without(text, names).replace(BRANDS, ''), sizes);
  return [...new Set(shown.filter((text) => /[A-Za-z]/.test(rest(text))))];
}

/** Expects that nothing in sight is in English, except the owner's own texts and `more`. */
export const expectHindi = async (
  page: Page,
  api: ShopClient,
  more: readonly string[] = [],
): Promise<void> => {
  const allowed = [...more, ...(await ownTexts(api))];
  await expect.poll(() => english(page, allowed), page.url()).toEqual([]);
};

/** Every page that is opened from now on is in Hindi. */
export const chooseHindi = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('fresh-fruits.language', 'hi'));

/** Waits for deferred content and for every island to hydrate. */
export async function openHindi(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator('astro-island:not(:has(> [data-hydrated=true]))')).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
  await expect(page.locator('.language').first()).toHaveText('English');
}
