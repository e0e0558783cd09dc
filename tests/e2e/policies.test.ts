import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { StoreInfoReader } from '#api/schema/store-info.ts';
import { policyHtmlOf } from '#catalogue/policy-markdown.ts';
import { POLICIES, POLICY_SLUGS } from '#domain/policy.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const headingsIn = (html: string): string[] =>
  [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)].map(([, text = '']) => text.trim());

const builtIn = (slug: string): string =>
  policyHtmlOf(readFileSync(new URL(`../../src/catalogue/policies/${slug}.md`, import.meta.url), 'utf8'));

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  for (const slug of POLICY_SLUGS) {
    test(`[spec 2.policies.1, 2.policies.3] /${slug} is all there, its placeholders filled`, async ({
      page,
      api,
    }) => {
      const { companyName } = v.parse(StoreInfoReader, await api.ask('storeInfo'));
      await page.goto(`/${slug}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(POLICIES[slug]);
      const link = page
        .getByRole('navigation', { name: 'Policies' })
        .getByRole('link', { name: POLICIES[slug] });
      await expect(link).toHaveAttribute('aria-current', 'page');
      const article = page.getByRole('article');
      await expect(article).toContainText(companyName);
      await expect(article).not.toContainText(/\{\{|\}\}/);
    });
  }

  test("[spec 2.policies.2] the server's text stands in place of ours", async ({ page, api }) => {
    const { policies } = v.parse(StoreInfoReader, await api.ask('storeInfo'));
    const headings = headingsIn(policies.get('shipping') ?? '');
    expect(headings).not.toEqual(headingsIn(builtIn('shipping')));
    await page.goto('/shipping');
    await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(headings);
  });

  test('[spec 2.policies.4] what the server does not send is ours', async ({ page, api }) => {
    const { policies } = v.parse(StoreInfoReader, await api.ask('storeInfo'));
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
  });
});
