import { paths } from '#paths.ts';
import { API } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { hold } from '#tests/support/page.ts';
import type { ShopClient } from '#tests/support/shop-client.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

/** The call that Enter sends, and the texts to type by the ids of the fields. */
type Form = readonly [call: RegExp, texts: (api: ShopClient) => Promise<Record<string, string>>];

const newAccount = (): Record<string, string> => ({
  firstName: 'Asha',
  lastName: 'Rao',
  email: `asha.${crypto.randomUUID()}@example.in`,
  password: 'monsoon-mangoes',
  confirmPassword: 'monsoon-mangoes',
});

const FORMS: Readonly<Record<string, Form>> = {
  [paths.trackOrder]: [
    /^\/orders\//,
    async (api) => {
      const shopper = await api.newSignedIn();
      return { orderId: (await api.order(shopper)).id, contactInfo: shopper.email };
    },
  ],
  [paths.login]: [
    /^\/users\/authorize$/,
    async (api) => {
      const { email, password } = await api.register();
      return { email, password };
    },
  ],
  [paths.register]: [/^\/users\/register$/, async () => newAccount()],
};

for (const [path, [call, texts]] of Object.entries(FORMS))
  test(`Enter in ${path} before its code has loaded sends it once`, async ({ page, api }) => {
    const release = await hold(page, '**/_astro/*.js');
    const sent: string[] = [];
    page.on('request', (request) => {
      const [, address = ''] = request.url().split(API);
      if (call.test(address) && request.method() !== 'OPTIONS') sent.push(address);
    });
    await page.goto(path, { waitUntil: 'commit' });
    for (const [id, text] of Object.entries(await texts(api))) await page.locator(`#${id}`).fill(text);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(page.locator('main form button[type=submit]')).toHaveAttribute('aria-busy', 'true');
    expect(sent).toEqual([]);
    release();
    await expect.poll(() => sent.length).toBe(1);
    await expect(page.locator('form [aria-disabled=true]')).toHaveCount(0);
    expect(sent).toHaveLength(1);
  });
