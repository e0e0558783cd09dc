import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

/** The faces that the element is really drawn with. */
async function facesOf(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName }) => familyName);
}

test('the first page keeps the face it was drawn with, and the fonts are there for the next', async ({
  page,
}) => {
  const fonts = ['figtree', 'figtree-rupee', 'bricolage', 'bricolage-rupee'].map((name) =>
    page.waitForResponse(new RegExp(`/${name}\\.`)),
  );
  await page.goto('/products');
  await Promise.all(fonts);
  await page.waitForFunction(() => 'fonts' in localStorage);
  expect(await facesOf(page, 'h1')).not.toContainEqual(expect.stringContaining('Bricolage'));

  await page.goto('/contact');
  expect(await facesOf(page, 'h1')).toEqual([expect.stringContaining('Bricolage')]);
  expect(await facesOf(page, 'main p')).toEqual([expect.stringContaining('Figtree')]);
});
