import { type BrowserContext, expect, type Page } from 'playwright/test';

/**
 * Records what the page shows when it comes back from the back/forward cache, before its own scripts run. Returns a
 * function that reads the record on the next page, or null if the page did not come from that cache.
 */
export async function watchReturn(page: Page): Promise<() => Promise<string | null>> {
  await page.evaluate(() => {
    let shown: string | undefined;
    const record = (): void => {
      if (document.visibilityState !== 'visible') return;
      const typed = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(
        ({ value }) => value,
      );
      shown ??= [document.body.innerText, ...typed].join('\n');
    };
    const store = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return;
      record();
      sessionStorage.setItem('back', `Back: ${shown}`);
    };
    // `visibilitychange` comes before `pageshow`, and capturing listeners of the window come before the document's.
    addEventListener('visibilitychange', record, { capture: true });
    addEventListener('pageshow', store, { capture: true });
  });
  return () => page.evaluate(() => sessionStorage.getItem('back'));
}

/** The page itself goes back, because `page.goBack` fails when the restored page leaves at once. */
export const goBack = (page: Page): Promise<void> => page.evaluate(() => history.back());

/**
 * Leaves a page, signs out and goes Back. Expects that the page came from the cache, never showed any of the `personal`
 * texts, and leads to `address`: the sign-in, if the page is private.
 */
export async function expectHiddenOnReturn(
  page: Page,
  context: BrowserContext,
  personal: readonly string[],
  address = /\/login$/,
): Promise<void> {
  const shown = await watchReturn(page);
  await page.goto('/contact');
  await context.clearCookies();
  await goBack(page);
  await expect(page).toHaveURL(address);
  await expect.poll(shown).toContain('Back: ');
  for (const text of personal) expect(await shown()).not.toContain(text);
}
