import type { Locator, Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';
import { contrasts } from '#tests/support/page-checks.ts';

const TINTS = Array.from({ length: 12 }, (_, tint) => `tint-${tint}`);
const TEXT = 4.5;

/** The least contrast of a colour with its panel, on every tint. */
async function leastContrast(elements: Locator, property: 'color' | 'outlineColor'): Promise<number> {
  const found: number[] = [];
  for (const tint of TINTS) {
    await elements.evaluateAll((all, name) => {
      for (const element of all) {
        const panel = element.closest('.panel');
        panel?.classList.remove(...[...panel.classList].filter((each) => each.startsWith('tint-')));
        panel?.classList.add(name);
      }
    }, tint);
    found.push(...(await contrasts(elements, { property, on: '.panel' })));
  }
  return Math.min(...found);
}

const breakPictures = (page: Page): Promise<unknown> =>
  page.route(/\.(?:avif|webp|svg)$/, (route) => route.abort());

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('that a picture is unavailable can be read on every panel', async ({ page, allowConsoleErrors }) => {
      allowConsoleErrors(/Failed to load resource/);
      await breakPictures(page);
      const placeholders = page.locator('.panel-placeholder');
      await page.goto('/');
      await page.locator('.categories').scrollIntoViewIfNeeded();
      const ofCategories = page.locator('.categories').locator(placeholders);
      await expect(ofCategories).toHaveCount(3);
      const onBlocks = await contrasts(ofCategories, { property: 'color', on: '.panel' });
      expect(Math.min(...onBlocks)).toBeGreaterThanOrEqual(TEXT);
      await page.goto('/products');
      await expect(placeholders.first()).toBeVisible();
      expect(await leastContrast(placeholders.first(), 'color')).toBeGreaterThanOrEqual(TEXT);
    });
  });
}
