import sharp from 'sharp';
import { policy, storeRecord } from '#scripts/api/store/edit-store.ts';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { enterOffice, OFFICE_URL } from '#tests/support/office.ts';

test.use({ changesCatalogue: true });

const logo = () =>
  sharp({ create: { width: 90, height: 90, channels: 3, background: '#0b5c3b' } })
    .png()
    .toBuffer();

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('an uploaded logo survives a mistake in another field, and a policy is previewed before it is saved', async ({
      page,
      shop,
      allowConsoleErrors,
    }) => {
      allowConsoleErrors(FAILED_REQUEST);
      await enterOffice(page, shop, 'editor');
      await page.getByRole('link', { name: 'Store', exact: true }).first().click();
      const before = (await storeRecord(shop.api.db)).companyLogoUrl;
      await page
        .getByLabel('New logo')
        .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await logo() });
      await page.getByLabel('Email for customers').fill('no address');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('alert')).toBeFocused();
      await expect(page.getByRole('alert')).toContainText('Email for customers must be an email address');
      if (javaScriptEnabled) await expectNoAxeFindings(page);
      await page.getByLabel('Email for customers').fill('care@freshfruits.example');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toHaveText('Saved. Publish to show it to shoppers.');
      expect((await storeRecord(shop.api.db)).companyLogoUrl).not.toBe(before);

      await page.getByRole('link', { name: 'Policies', exact: true }).first().click();
      await page.getByRole('link', { name: 'Return Policy' }).click();
      await page
        .getByLabel('Text')
        .fill('<h1>Returns</h1><p onclick="x()">Ask {{companyEmail}}.</p><script>x()</script>');
      await page.getByRole('button', { name: 'Preview' }).click();
      const preview = page.getByRole('region', { name: 'Preview' });
      await expect(preview).toBeFocused();
      await expect(preview.getByRole('heading', { level: 2, name: 'Returns' })).toBeVisible();
      await expect(preview).toContainText('Ask care@freshfruits.example.');
      if (javaScriptEnabled) await expectNoAxeFindings(page);
      expect(await policy(shop.api.db, 'return')).toBeUndefined();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('status')).toHaveText(
        'Return Policy: saved. Publish to show it to shoppers.',
      );
      await page.goto(`${OFFICE_URL}/policies/return`);
      await page.getByText('Go back to it').click();
      await page.getByRole('button', { name: 'Yes, show the text that came with the shop' }).click();
      await expect(page.getByRole('row', { name: 'Return Policy' })).toContainText(
        'The text that came with the shop',
      );
    });
  });
}
