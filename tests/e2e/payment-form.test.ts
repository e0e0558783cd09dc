import type { Page } from 'playwright/test';
import { FIELD_TYPES, type FieldType } from '#domain/payment-form.ts';
import { API } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { expectAlive, fillByProgram, translatePage } from '#tests/support/other-programs.ts';
import { hold, payNow } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

/** Opens the payment with these fields. Returns the bodies that are sent. */
async function openForm(page: Page, fields: readonly object[]): Promise<{ fields: unknown }[]> {
  const sent: { fields: unknown }[] = [];
  await page.route(`${API}/payments/fields`, (route) => route.fulfill({ json: { fields } }));
  await page.route(`${API}/payments`, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent.push(route.request().postDataJSON());
    return route.fulfill({ json: { success: false, error: 'Answered' } });
  });
  const order = { id: '7f3e21ab', createdAt: '2026-11-12T10:00:00Z', items: [], total: 899 };
  await page.route(`${API}/orders`, (route) => route.fulfill({ json: [order] }));
  await page.goto(`/payment?orderId=${order.id}`);
  await expect(payNow(page)).toBeVisible();
  return sent;
}

test.beforeEach(({ signedInShopper: _ }) => {});

test('[spec 2.payment.3, 3.field.1, 3.field.2, 3.field.3, 3.field.6, 3.payment.1, 5.phone.11] renders each type with its texts and default', async ({
  page,
}) => {
  const definitions: Partial<Record<FieldType, object>> = {
    text: { placeholder: 'Type here', description: 'The name on the card', defaultValue: 'Meera' },
    email: { defaultValue: 'm@example.com' },
    password: { defaultValue: 'secret' },
    number: { defaultValue: 12 },
    textarea: { defaultValue: 'two\nlines' },
    select: { options: ['one', 'two'], defaultValue: 'two' },
    checkbox: { defaultValue: true },
  };
  const field = (type: FieldType) => ({ name: type, label: `A ${type}`, type, ...definitions[type] });
  const sent = await openForm(page, FIELD_TYPES.map(field));
  await translatePage(page);
  const text = page.getByLabel('A text', { exact: true });
  await expect(text).toHaveAttribute('placeholder', 'Type here');
  await expect(text).toHaveAccessibleDescription('The name on the card');
  const elements = ['select', 'textarea'];
  for (const type of FIELD_TYPES) {
    const control = page.getByLabel(`A ${type}`, { exact: true });
    if (elements.includes(type)) await expect(control).toHaveJSProperty('localName', type);
    else await expect(control).toHaveAttribute('type', type);
  }
  await expect(page.getByLabel('A tel', { exact: true })).toHaveAttribute('placeholder', '+91XXXXXXXXXX');
  await expect(page.getByRole('combobox').getByRole('option')).toHaveText(['one', 'two']);
  await expect(page.getByRole('checkbox')).toBeChecked();
  await expectNoAxeFindings(page);
  // Forced colours remove the gradients of the arrow, and the colour of the current step.
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(page.getByRole('combobox')).not.toHaveCSS('appearance', 'none');
  await expect(page.locator('[aria-current=step]')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await page.emulateMedia({ forcedColors: null });
  await fillByProgram(page, { select: 'one', tel: '9876543210' });
  await fillByProgram(page, { checkbox: 'false' });
  await payNow(page).click();
  await expect(page.getByText('Answered')).toBeVisible();
  await expectAlive(page);
  expect(sent).toEqual([
    {
      orderId: '7f3e21ab',
      fields: {
        ...Object.fromEntries(FIELD_TYPES.map((type) => [type, ''])),
        text: 'Meera',
        email: 'm@example.com',
        password: 'secret',
        number: '12',
        textarea: 'two\nlines',
        select: 'one',
        checkbox: 'false',
        tel: '+919876543210',
      },
    },
  ]);
});

test('[spec 5.payment.2, 5.payment.3, 5.payment.5, 5.payment.6, 5.payment.7] the button is disabled while a field is missing and while the payment starts', async ({
  page,
}) => {
  const sent = await openForm(page, [
    {
      name: 'upi',
      label: 'UPI ID',
      type: 'text',
      rules: { required: true },
      rulesMessages: ['Enter your UPI ID'],
    },
    { name: 'terms', label: 'I agree', type: 'checkbox', rules: { required: true } },
  ]);
  await expect(payNow(page)).toBeDisabled();
  await expect(payNow(page)).toHaveAccessibleDescription('Still needed: UPI ID, I agree');
  await payNow(page).click({ force: true });
  await expect(page.getByRole('alert').filter({ hasText: 'Validation Error' })).toBeVisible();
  await expect(page.getByLabel('UPI ID')).toHaveAccessibleDescription(/Enter your UPI ID/);
  await expect(page.getByLabel('I agree')).toHaveAccessibleDescription(/This field is required/);
  await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toBeFocused();
  await expectNoAxeFindings(page);
  await page.getByRole('link', { name: 'Enter your UPI ID' }).press('Enter');
  await expect(page.getByLabel('UPI ID')).toBeFocused();
  await page.keyboard.type('meera@bank');
  await expect(page.getByLabel('UPI ID')).not.toHaveAttribute('aria-invalid');
  await page.getByLabel('I agree').check();
  await expect(payNow(page)).toBeEnabled();
  expect(sent).toEqual([]);
  const answer = await hold(page, `${API}/payments`, (route) => route.fallback());
  await page.getByLabel('UPI ID').press('Enter');
  const working = page.getByRole('button', { name: 'Processing...' });
  await expect(working).toBeDisabled();
  answer();
  await expect(page.getByText('Answered')).toBeVisible();
  await expect(payNow(page)).toBeEnabled();
  expect(sent).toHaveLength(1);
});

test('[spec 3.field.5, 3.field.7, 3.field.9, 5.payment.1] a conditional field appears without moving the focus, a mask keeps the caret, and neither hidden fields nor masks are sent', async ({
  page,
}) => {
  const sent = await openForm(page, [
    { name: 'gift', label: 'It is a gift', type: 'checkbox' },
    { name: 'name', label: 'Your name', type: 'text' },
    {
      name: 'card',
      label: 'Text on the card',
      type: 'text',
      rules: { required: true },
      showWhenFilled: ['wrapping', 'gift'],
    },
    { name: 'expiry', label: 'Expiry', type: 'text', mask: '99/99' },
  ]);
  const labels = () => page.getByRole('form', { name: 'Payment' }).locator('label').allInnerTexts();
  expect(await labels()).toEqual(['It is a gift', 'Your name', 'Expiry']);
  const gift = page.getByLabel('It is a gift');
  await gift.focus();
  await gift.press('Space');
  await expect(page.getByLabel('Text on the card')).toBeVisible();
  expect(await labels()).toEqual(['It is a gift', 'Text on the card', 'Your name', 'Expiry']);
  await expect(gift).toBeFocused();
  await expect(payNow(page)).toBeDisabled();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Text on the card')).toBeFocused();
  await gift.press('Space');

  const expiry = page.getByLabel('Expiry');
  await expiry.pressSequentially('1x227');
  await expect(expiry).toHaveValue('12/27');
  await expiry.press('Home');
  await expiry.press('Delete');
  await expiry.pressSequentially('0');
  await expect(expiry).toHaveValue('02/27');
  expect(await expiry.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(1);
  await payNow(page).click();
  await expect(page.getByText('Answered')).toBeVisible();
  expect(sent[0]?.fields).toEqual({ gift: 'false', name: '', expiry: '0227' });
});
