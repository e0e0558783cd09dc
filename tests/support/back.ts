import { type BrowserContext, expect, type Page } from 'playwright/test';

/**
 * Notes what the page shows when it comes back from the back/forward cache, before its own scripts hear of it. Returns
 * what reads the note on the page that follows; null where the page did not come out of that cache.
 */
export async function watchReturn(page: Page): Promise<() => Promise<string | null>> {
  await page.evaluate(() => {
    let shown: string | undefined;
    const look = (): void => {
      if (document.visibilityState !== 'visible') return;
      const typed = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(
        ({ value }) => value,
      );
      shown ??= [document.body.innerText, ...typed].join('\n');
    };
    const keep = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return;
      look();
      sessionStorage.setItem('back', `Back: ${shown}`);
    };
    // It becomes visible before it is shown, and the window hears of both before the document.
    addEventListener('visibilitychange', look, { capture: true });
    addEventListener('pageshow', keep, { capture: true });
  });
  return () => page.evaluate(() => sessionStorage.getItem('back'));
}

/** Back by the page itself: `page.goBack` fails where the page that comes back leaves at once. */
export const goBack = (page: Page): Promise<void> => page.evaluate(() => history.back());

/**
 * Leaves a page, signs out elsewhere and goes Back: it came out of the cache, never showed any of `personal`, and is at
 * `address` then, where a private page leads to the sign-in.
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
