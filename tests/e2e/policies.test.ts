import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { WireStoreInfo } from '#api/schema/store-info.ts';
import { POLICIES, POLICY_SLUGS } from '#domain/policy.ts';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const headingsIn = (html: string): string[] =>
  [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)].map(([, text = '']) => text.trim());

const builtIn = (slug: string): string =>
  readFileSync(new URL(`../../src/catalogue/policies/${slug}.html`, import.meta.url), 'utf8');

for (const slug of POLICY_SLUGS) {
  test(`/${slug} reads well and passes axe`, async ({ page }) => {
    await page.goto(`/${slug}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(POLICIES[slug]);
    const list = page.getByRole('navigation', { name: 'Policies' });
    await expect(list.getByRole('link', { name: POLICIES[slug], exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBe(0);
    await expectNoAxeFindings(page);
  });
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  for (const slug of POLICY_SLUGS) {
    test(`[spec 2.policies.1, 2.policies.3] /${slug} is all there, its placeholders filled`, async ({
      page,
      api,
    }) => {
      const { companyName } = v.parse(WireStoreInfo, await api.ask('storeInfo'));
      await page.goto(`/${slug}`);
      const article = page.getByRole('article');
      await expect(article).toContainText(companyName);
      await expect(article).not.toContainText(/\{\{|\}\}/);
    });
  }

  test("[spec 2.policies.2] the server's text stands in place of ours", async ({ page, api }) => {
    const { policies } = v.parse(WireStoreInfo, await api.ask('storeInfo'));
    const headings = headingsIn(policies.get('shipping') ?? '');
    expect(headings).not.toEqual(headingsIn(builtIn('shipping')));
    await page.goto('/shipping');
    await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(headings);
  });

  test('[spec 2.policies.4] what the server does not send is ours', async ({ page, api }) => {
    const { policies } = v.parse(WireStoreInfo, await api.ask('storeInfo'));
    expect(policies.has('terms')).toBe(false);
    await page.goto('/terms');
    await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(
      headingsIn(builtIn('terms')),
    );
  });
});

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false });

  test('the list of policies stands beside the text', async ({ page }) => {
    await page.goto('/privacy');
    const text = await page.getByRole('article').boundingBox();
    const list = await page.getByRole('navigation', { name: 'Policies' }).boundingBox();
    expect(list?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0));
    expect(list?.y).toBeLessThan(400);
    await expectNoAxeFindings(page);
  });
});
