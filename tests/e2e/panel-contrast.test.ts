import type { Locator, Page } from 'playwright/test';
import { contrasts } from '#tests/support/contrast.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const TINTS = Array.from({ length: 12 }, (_, tint) => `tint-${tint}`);
const TEXT = 4.5;
const RING = 3;

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

    test.describe('with a mouse', () => {
      test.use({ viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false });

      test('what has the focus is ringed on every panel', async ({ page, api }) => {
        const product = await api.product(({ images }) => images.length > 1);
        await page.goto(`/product/${product.id}`);
        for (const place of ['.gallery-strip', '.gallery-zoom']) {
          const focused = page.locator(place);
          await focused.focus();
          await expect(focused).toHaveCSS('outline-style', 'solid');
          expect(await leastContrast(focused, 'outlineColor'), place).toBeGreaterThanOrEqual(RING);
        }
      });

      test('what has the focus on a card is ringed on its panel', async ({ page }) => {
        await page.goto('/products');
        const actions = page.locator('.card-actions :is(.card-add, .card-select)');
        const media = await page
          .locator('.card-media')
          .evaluateAll((all) => all.map((panel) => getComputedStyle(panel).backgroundColor));
        for (const [index, background] of media.entries()) {
          const focused = actions.nth(index);
          await focused.focus();
          await expect(focused).toHaveCSS('outline-style', 'solid');
          // They stand over the panel, not in it.
          await focused.evaluate((element, color) => {
            if (element.parentElement) element.parentElement.style.background = color;
          }, background);
          const [found] = await contrasts(focused, { property: 'outlineColor', on: '.card-actions' });
          expect(found).toBeGreaterThanOrEqual(RING);
        }
      });
    });
  });
}
