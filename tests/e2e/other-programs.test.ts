import type { Page } from 'playwright/test';
import { paths } from '#paths.ts';
import type { Services } from '#tests/support/fixtures.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { openPayment, payNow, untilPainted } from '#tests/support/page.ts';
import { ADDRESS, type ShopClient, type SignedIn } from '#tests/support/shop-client.ts';

/*
 * Every page with a script, while other programs change it: a page translation replaces all texts, again after each
 * change; a password manager fills in the fields; and the browser wrongly reports that there is no network.
 */

/** Replaces each text by a copy in <font>, like the page translation of Chrome, and records the text that it replaced. */
function translate(): void {
  const replaced = new Map<Text, { readonly copy: HTMLElement; readonly data: string }>();
  const work = (): void => {
    observer.disconnect();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node instanceof Text && !node.parentElement?.closest('font, script, style, textarea'))
        texts.push(node);
    for (const text of texts) {
      const copy = document.createElement('font');
      copy.append(document.createElement('font'));
      // The space changes the text, but not the names by which a test finds an element.
      copy.firstElementChild?.append(`${text.data} `);
      replaced.set(text, { copy, data: text.data });
      text.replaceWith(copy);
    }
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  };
  const observer = new MutationObserver(work);
  /** The texts on the page that React has changed, but only in the node that is no longer there. */
  const stale = (): string[] =>
    [...replaced]
      .filter(([text, { copy, data }]) => copy.isConnected && text.data !== data)
      .map(([{ data }]) => data);
  Object.assign(globalThis, { stale });
  work();
}

const untilHydrated = (page: Page) => expect(page.locator('[data-hydrated=false]')).toHaveCount(0);

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilHydrated(page);
  await page.evaluate(translate);
}

/** Sets the values of fields by their names, of every second one without an event. */
const fill = (page: Page, values: Readonly<Record<string, string>>): Promise<void> =>
  page.evaluate((entries) => {
    for (const [index, [name, value]] of entries.entries()) {
      const field = document.querySelector<HTMLInputElement>(
        `main [name="${name}"], dialog [name="${name}"]`,
      );
      if (!field) throw new Error(`There is no field ${name}.`);
      if (field.type === 'checkbox') field.checked = value === 'true';
      else field.value = value;
      if (index % 2 === 1)
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }, Object.entries(values));

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

const shows = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible();

async function expectAlive(page: Page): Promise<void> {
  await untilPainted(page);
  const stale = await page.evaluate(() =>
    (Reflect.get(globalThis, 'stale') as undefined | (() => string[]))?.(),
  );
  expect(stale ?? [], 'texts that React has changed in vain').toEqual([]);
  await expect(page.getByText('This part of the page has stopped')).toHaveCount(0);
}

type Scene = { page: Page; api: ShopClient; shop: Services; shopper: SignedIn };

/** What is done on a page. Between two steps the page is checked. */
const SCENES: Readonly<Record<string, ((scene: Scene) => Promise<unknown>)[]>> = {
  'signs in after a wrong password': [
    ({ page }) => open(page, paths.login),
    async ({ page, shopper }) => {
      await press(page, 'Show password');
      await fill(page, { email: shopper.email, password: 'wrong-password', rememberMe: 'true' });
      await press(page, /^Sign in/);
      await expect(page.getByRole('main').getByRole('alert')).toContainText('Invalid email or password.');
    },
    async ({ page, shopper }) => {
      await expect(page.getByLabel('Email')).toHaveValue(shopper.email);
      await fill(page, { email: '', password: shopper.password });
      await press(page, /^Sign in/);
      await expect(page.getByRole('main').getByRole('alert')).toContainText('There is a problem');
    },
    async ({ page, shopper }) => {
      await fill(page, { email: shopper.email });
      await press(page, /^Sign in/);
      await shows(page, 'Logged in successfully.');
    },
  ],
  registers: [
    ({ page }) => open(page, paths.register),
    async ({ page, shopper: { firstName, lastName, email, password } }) => {
      const changed = { firstName, lastName, email: `new.${email}`, password };
      await fill(page, { ...changed, confirmPassword: 'other' });
      await press(page, 'Create account');
      await shows(page, 'Passwords do not match');
      await fill(page, { confirmPassword: password });
      await press(page, 'Create account');
      await shows(page, 'Account created successfully.');
    },
  ],
  'resets a forgotten password': [
    ({ page }) => open(page, paths.forgotPassword),
    async ({ page, shop, shopper }) => {
      await fill(page, { email: shopper.email });
      await press(page, 'Send me a link');
      await shows(page, 'an email with a link is on its way');
      await expectAlive(page);
      const [email] = await shop.emails(shopper.email);
      await open(page, /http\S+(\/reset-password#\S+)/.exec(email?.text ?? '')?.[1] ?? '');
      await fill(page, { password: 'new-mangoes', confirmPassword: 'new-mangoes' });
      await press(page, 'Change the password');
      await shows(page, 'Password changed');
    },
  ],
  'changes the account': [
    ({ page }) => open(page, '/account-data'),
    async ({ page }) => {
      await press(page, 'Email me the link');
      await shows(page, 'We have sent an email to the address of your account.');
    },
    ({ page }) => open(page, '/account-change'),
    async ({ page }) => {
      await fill(page, {
        current: 'wrong-password',
        password: 'new-mangoes',
        confirmPassword: 'new-mangoes',
      });
      await press(page, 'Change the password');
      await shows(page, 'This is not your password.');
    },
    async ({ page }) => {
      await fill(page, { lastName: 'Kulkarni', firstName: 'Meera' });
      await press(page, 'Change the name');
      await expect(page).toHaveURL(paths.account);
      await shows(page, 'Meera Kulkarni');
      await page.evaluate(translate);
      await press(page, 'Sign Out');
      await shows(page, 'You have been logged out successfully.');
    },
  ],
  'changes the cart': [
    ({ page }) => open(page, paths.cart),
    async ({ page }) => {
      const row = page.locator('main li').first();
      await press(page, 'Increase quantity');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Your cart\s+3 items/);
      await expect(page.getByText('Subtotal')).toHaveText(/\(3 items\)/);
      for (const _ of [1, 2]) await press(page, 'Decrease quantity');
      await expect(row).not.toContainText('each');
      await press(page, 'Share cart');
      await shows(page, 'Copy link');
    },
    async ({ page }) => {
      await press(page, 'Clear Cart');
      await shows(page, 'Your cart is empty');
      await press(page, 'Undo');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Your cart\s+1 item/);
    },
  ],
  'orders, pays, cancels and buys again': [
    ({ page }) => open(page, paths.checkout),
    async ({ page }) => {
      await press(page, 'Create Order');
      await shows(page, 'Please fill all fields');
    },
    async ({ page }) => {
      await fill(page, { ...ADDRESS, saveAddress: 'true' });
      // A key in one field leaves the others as they are.
      await page.getByLabel('City').press('End');
      await page.getByLabel('City').pressSequentially(' 1');
      await expect(page.getByLabel('Full name')).toHaveValue(ADDRESS.fullName);
    },
    async ({ page, api, shopper }) => {
      const posts: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/orders'))
          posts.push(request.postData() ?? '');
      });
      // The summary above the button grows when it is read.
      const address = `${ADDRESS.address}, ${'behind the old market '.repeat(6)}gate`;
      await fill(page, { address });
      await press(page, 'Create Order');
      await expect(page).toHaveURL(/\/payment\?orderId=/);
      expect(posts).toHaveLength(1);
      const [order] = await api.orders(shopper);
      expect(order?.shippingAddress).toEqual({ ...ADDRESS, address, city: `${ADDRESS.city} 1` });
      await untilHydrated(page);
      await page.evaluate(translate);
      await payNow(page).click();
      await shows(page, 'Waiting for your payment …');
    },
    async ({ page }) => {
      await press(page, 'Pay another way');
      await expect(payNow(page)).toBeVisible();
    },
    async ({ page }) => {
      await open(page, paths.orders);
      await press(page, 'Buy again');
      await shows(page, 'In your cart at today’s prices.');
      await press(page, 'Buy again');
    },
    async ({ page }) => {
      await press(page, 'Cancel order');
      await press(page, 'Cancel the order');
      await expect(page.getByRole('article')).toContainText('Cancelled');
    },
  ],
  'pays with a form of the server': [
    async ({ page, api, shopper }) => {
      const fields = [
        { name: 'card', label: 'Card number', type: 'text', mask: '9999 9999', rules: { required: true } },
        { name: 'bank', label: 'Bank', type: 'select', options: ['one', 'two'], rules: { required: true } },
        { name: 'agreed', label: 'I agree', type: 'checkbox', rules: { required: true } },
        { name: 'note', label: 'Note', type: 'textarea' },
        { name: 'phone', label: 'Phone', type: 'tel' },
        { name: 'elements', label: 'Code', type: 'password' },
      ];
      await page.route('**/api/v1/payments/fields', (route) => route.fulfill({ json: { fields } }));
      await openPayment(page, api, shopper);
      await expect(payNow(page)).toBeVisible();
      await page.evaluate(translate);
    },
    async ({ page }) => {
      // Inactive, it shows what is missing.
      await payNow(page).click({ force: true });
      await shows(page, 'There is a problem');
      await page.getByLabel('Card number').pressSequentially('4x');
      await expect(page.getByLabel('Card number')).toHaveValue('4');
      const values = { card: '41112222', bank: 'two', agreed: 'true', note: 'Please', elements: 'secret' };
      await fill(page, values);
      await fill(page, { phone: '9876543210' });
      const sent = page.waitForRequest(
        (request) => request.method() === 'POST' && /payments$/.test(request.url()),
      );
      await payNow(page).click({ force: true });
      expect((await sent).postDataJSON()).toMatchObject({ fields: { ...values, phone: '+919876543210' } });
    },
  ],
  'tracks an order': [
    ({ page }) => open(page, paths.trackOrder),
    async ({ page, api, shopper }) => {
      await fill(page, { orderId: 'unknown', contactInfo: shopper.email });
      await press(page, 'Track Order');
      await shows(page, 'We could not find this order');
      const { id } = await api.order(shopper);
      await fill(page, { orderId: id });
      await press(page, 'Track Order');
      await expect(page.getByRole('heading', { name: /^Order / })).toBeFocused();
    },
  ],
  'tests the API': [
    ({ page }) => open(page, '/api-test'),
    async ({ page }) => {
      await shows(page, /^Connected: status 200/);
      await press(page, 'Test again');
      await shows(page, /^Connected: status 200/);
    },
  ],
  'writes a message': [
    ({ page }) => open(page, paths.contact),
    async ({ page }) => {
      await press(page, 'Send Message');
      await shows(page, 'Enter your name');
      await fill(page, {
        name: 'Asha',
        email: 'asha@example.com',
        subject: 'Hello',
        message: 'Where is it?',
      });
      await press(page, 'Send Message');
      await shows(page, 'Message Sent');
    },
  ],
  'filters a list and searches': [
    ({ page }) => open(page, '/products?parentCategory=Fashion'),
    async ({ page }) => {
      await expect(page.locator('.results .card')).toHaveCount(10);
      await press(page, 'Sort and filter');
      await page.getByRole('checkbox', { name: /^M\b/ }).check();
      const show = page.getByRole('button', { name: /^Show \d+ products?/ });
      const [count] = /\d+/.exec((await show.textContent()) ?? '') ?? [];
      await show.click();
      await expect(page.locator('.results .card')).toHaveCount(Number(count));
    },
    ({ page }) => open(page, paths.search),
    async ({ page }) => {
      await page.getByRole('searchbox').fill('mang');
      await shows(page, '8 results for “mang”');
      await page.getByRole('searchbox').fill('kiwi');
      await shows(page, /^\d+ results? for “kiwi”/);
      await expect(page.locator('[data-search-results] h3').first()).toContainText('Kiwi');
    },
  ],
};

/** These begin without a session. */
const SIGNED_OUT = new Set(['signs in after a wrong password', 'registers', 'resets a forgotten password']);

for (const [name, steps] of Object.entries(SCENES))
  test(`${name} while other programs change the page`, async ({
    page,
    context,
    api,
    shop,
    filledCart: _,
    signedInShopper: shopper,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(FAILED_REQUEST);
    if (SIGNED_OUT.has(name)) await context.clearCookies();
    await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }));
    for (const step of steps) {
      await step({ page, api, shop, shopper });
      await expectAlive(page);
    }
  });

test('text typed before hydration stays if a translation has changed the page by then', async ({
  page,
  allowConsoleErrors,
}) => {
  // React reports that it had to render the island again.
  allowConsoleErrors(/#418/);
  await page.route('**/_astro/*.js', async (route) => {
    await page.evaluate(() => Reflect.get(globalThis, 'mayHydrate'));
    await route.continue();
  });
  await page.addInitScript(() => {
    const ready = Promise.withResolvers<void>();
    Object.assign(globalThis, { mayHydrate: ready.promise, hydrate: ready.resolve });
  });
  await page.goto(paths.login, { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('asha@example.com');
  await fill(page, { password: 'mangoes', rememberMe: 'true' });
  await page.evaluate(translate);
  await page.evaluate(() => Reflect.get(globalThis, 'hydrate')());
  await untilHydrated(page);
  await expect(page.getByLabel('Email')).toHaveValue('asha@example.com');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('mangoes');
  await expect(page.getByRole('checkbox')).toBeChecked();
});

test('an island whose nodes are gone is rendered again, with what was typed', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/NotFoundError/, FAILED_REQUEST);
  await page.goto(paths.login);
  await untilHydrated(page);
  const breakForm = (): Promise<void> =>
    page.evaluate(() => {
      for (const element of document.querySelectorAll('main form button > span'))
        element.replaceWith(document.createElement('b'));
    });
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('mangoes');
  await breakForm();
  await press(page, /^Sign in|^$/);
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.com');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('mangoes');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Invalid email or password.');
});
