import { expect, test } from '#tests/support/fixtures.ts';

test('a phone shows the headline, its buttons and the picture without scrolling', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'Featured Selection' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('img', { name: /still life/ })).toBeInViewport();
});

test('[spec 2.home.7, 2.home.8] three categories are three columns of 380 px on a wide screen, and no word is cut on any screen', async ({
  page,
}) => {
  const cards = page.getByRole('region', { name: 'Fresh & Premium Fruits' }).getByRole('link');
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await page.evaluate(() => document.fonts.ready);
    /** Words that take more than one line. */
    const cut = await cards.locator('.category-name').evaluateAll((names) =>
      names.flatMap(({ firstChild: text }) =>
        [...(text?.textContent ?? '?').matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          if (text) range.setStart(text, index);
          if (text) range.setEnd(text, index + word.length);
          return range.getClientRects().length === 1 ? [] : [word];
        }),
      ),
    );
    expect(cut, String(width)).toEqual([]);
  }
  const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  expect(new Set(boxes.map((box) => box?.x)).size).toBe(3);
  expect(boxes.map((box) => box?.height)).toEqual([380, 380, 380]);
});
