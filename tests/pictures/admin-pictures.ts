import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright';
import sharp from 'sharp';
import { formatRupees } from '#domain/money.ts';
import { startHookServer } from '#scripts/publish/watch/hook-server.ts';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import { systemClock } from '#server/process/clock.ts';
import { randomIds } from '#server/services/ids.ts';
import { inviteStaffMember } from '#server/staff/command.ts';
import { startTestApi } from '#tests/support/api.ts';
import { API_ORIGIN } from '#tests/support/api-address.ts';
import { chromiumArgs, findChromium } from '#tests/support/find-chromium.ts';

/** `npm run pictures`: the pictures of the editors' guide, of the admin as it is. */

const SCREEN = { width: 360, height: 680 };
const MARGIN = 20;
const GROUND = '#dce3db';
const TARGET = fileURLToPath(new URL('../../.github/pictures/', import.meta.url));
const TOKEN = 'a-token-of-the-pictures';
const PASSWORD = 'mangoes before monsoon';

let failure: string | undefined;
const releases = [
  {
    id: '000012-20260105-100000',
    at: '2026-01-05T10:00:00Z',
    summary: ['Added (1):', '  Custard Apple, 1 kg'],
  },
  {
    id: '000011-20260104-083000',
    at: '2026-01-04T08:30:00Z',
    summary: ['Repriced (1):', `  Green Kiwi, 500 g: ${formatRupees(149)} → ${formatRupees(139)}`],
  },
];
const hook = await startHookServer({
  token: TOKEN,
  trigger: () => {},
  rollBack: async () => ({ from: '', to: '' }),
  differences: async () => ({
    added: [],
    removed: [],
    repriced: [{ id: mango.id, name: mango.title, from: 899, to: 849 }],
    edited: [],
    texts: ['policies/refund'],
    isReordered: false,
  }),
  status: async () => ({
    state: 'idle',
    pending: false,
    failure,
    retryAt: undefined,
    live: releases[0]?.id,
    phase: undefined,
    checkedAt: undefined,
    checkFailure: undefined,
    releases,
  }),
  port: 0,
  host: '127.0.0.1',
});
const api = await startTestApi({ publishing: { hook: `http://127.0.0.1:${hook.port}`, token: TOKEN } });
const found = (await storedProducts(api.db)).find(({ product }) =>
  product.title.startsWith('Alphonso Mango'),
);
if (!found) throw new Error('The demo catalogue has changed.');
const mango = found.product;
const executablePath = findChromium();
const browser = await chromium.launch({
  args: [...chromiumArgs, `--host-resolver-rules=MAP localhost:8044 ${new URL(api.url).host}`],
  ...(executablePath ? { executablePath } : {}),
});
const context = await browser.newContext({
  viewport: SCREEN,
  isMobile: true,
  hasTouch: true,
  locale: 'en-IN',
  baseURL: API_ORIGIN,
});
const tools = { db: api.db, clock: systemClock, ids: randomIds, origin: API_ORIGIN };

interface Scene {
  readonly path: string;
  act?(page: Page): Promise<unknown>;
}

const product = `/admin/catalogue/products/${mango.id}`;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();
/** Puts a part of the page to the top of the picture. */
const showTop = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 16));

const PICTURES: Readonly<Record<string, readonly Scene[]>> = {
  'admin-price': [
    { path: '/admin/catalogue?q=alphonso', act: (page) => showTop(page, '.filter') },
    {
      path: product,
      async act(page) {
        await page.getByLabel('Sale price').fill('849');
        await showTop(page, '.field');
      },
    },
    { path: '/admin/publish', act: (page) => showTop(page, 'main') },
  ],
  'admin-more': [
    {
      path: product,
      async act(page) {
        await page.getByLabel('Sale price').fill('1,849');
        await press(page, 'Save');
        await showTop(page, '.summary');
      },
    },
    {
      path: '/admin/policies/refund',
      async act(page) {
        await page
          .getByLabel('Text')
          .fill(
            '<h2>Refunds</h2>\n<p>{{companyName}} pays back within 7 days. Ask us at {{companyEmail}}.</p>',
          );
        await press(page, 'Preview');
        await showTop(page, '.preview');
      },
    },
    {
      path: '/admin/publish',
      async act(page) {
        failure =
          'Not published, the live release stays:\n  refund.html links to /refunds, which is not there.';
        await page.reload();
        await showTop(page, '.notice');
      },
    },
  ],
};

const door = await context.newPage();
await door.goto(await inviteStaffMember(tools, 'asha@example.com', 'editor', 'Asha'));
await door.getByLabel('New password').fill(PASSWORD);
await door.getByRole('button', { name: 'Choose this password' }).click();
await door.close();

async function storePicture({ path, act }: Scene): Promise<Buffer> {
  const page = await context.newPage();
  await page.goto(path);
  await act?.(page);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

for (const [name, scenes] of Object.entries(PICTURES)) {
  const screens: Buffer[] = [];
  for (const scene of scenes) screens.push(await storePicture(scene));
  const step = SCREEN.width + MARGIN;
  await sharp({
    create: {
      width: MARGIN + screens.length * step,
      height: SCREEN.height + 2 * MARGIN,
      channels: 3,
      background: GROUND,
    },
  })
    .composite(screens.map((input, index) => ({ input, left: MARGIN + index * step, top: MARGIN })))
    .webp({ quality: 80, effort: 6 })
    .toFile(`${TARGET}${name}.webp`);
  console.log(`${name}.webp`);
}
await Promise.all([browser.close(), api.close()]);
hook.close();
