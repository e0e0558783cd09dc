import { formatRupees } from '#domain/money.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectAlive, fillByProgram, translatePage } from '#tests/support/other-programs.ts';
import { hold } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

const button = { name: 'Track Order' };

test('does not overwrite typed text when the account has loaded, and finds an order after an unknown one', async ({
  page,
  api,
  signedInShopper: shopper,
}) => {
  const answer = await hold(page, '**/accountInfo');
  const answered = page.waitForResponse('**/accountInfo');
  await page.goto('/track-order');
  await page.getByLabel('Email or Phone').fill('9876543210');
  answer();
  await answered;
  await expect(page.getByRole('button', button)).toBeEnabled();
  await expect(page.getByLabel('Email or Phone')).toHaveValue('9876543210');
  await translatePage(page);
  await fillByProgram(page, { orderId: 'unknown', contactInfo: shopper.email });
  await page.getByRole('button', button).click();
  await expect(page.getByText('We could not find this order')).toBeVisible();
  await fillByProgram(page, { orderId: (await api.order(shopper)).id });
  await page.getByRole('button', button).click();
  await expect(page.getByRole('heading', { name: /^Order / })).toBeFocused();
  await expectAlive(page);
});

test('[spec 2.track.1, 2.track.2, 2.track.4, 2.track.5, 2.track.6, 2.track.7, 6.roles.1] a visitor finds an order by number and email', async ({
  page,
  api,
}) => {
  const shopper = await api.newSignedIn();
  const [first, second] = (await api.products()).filter(({ price }) => price > 0);
  if (!first || !second) throw new Error('The catalogue has too few products.');
  const { id, number } = await api.order(shopper, {
    quantities: { [first.id]: 2, [second.id]: 1 },
    status: 'shipped',
  });
  const requested = page.waitForRequest((request) => request.url().includes('/api/v1/orders/'));
  await page.goto(`/track-order?id=${id}`);
  await expect(page.getByLabel('Order Number')).toHaveValue(id);
  await expect(page.getByLabel('Email or Phone')).toHaveValue('');
  await page.getByLabel('Email or Phone').fill(` ${shopper.email} `);
  await page.getByRole('button', button).click();

  const found = page.getByRole('region', { name: `Order ${number}` });
  await expect(found.getByRole('heading')).toBeFocused();
  await expect(found).toContainText('Shipped');
  await expect(found).toContainText(/Date\d{1,2} \w+ 20\d\d/);
  await expect(found).toContainText('Shipping addressAsha Rao, 12 MG Road, Pune, Maharashtra 411001');
  await expect(found).toContainText('Shipping methodStandard Shipping');
  await expect(found).toContainText('Tracking numberNot available');
  const rows = found.getByRole('row');
  await expect(rows.filter({ hasText: first.name })).toContainText(`2${formatRupees(first.price)}`);
  await expect(rows.filter({ hasText: second.name })).toContainText(`1${formatRupees(second.price)}`);
  await expect(rows.last()).toContainText(formatRupees(first.price * 2 + second.price));
  await expectNoAxeFindings(page);

  expect(new URL((await requested).url()).searchParams.get('contactInfo')).toBe(shopper.email);
  expect(page.url()).not.toContain('contact');
});
