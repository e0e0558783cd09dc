import { expect } from 'playwright/test';
import { PAGES } from '#page-table.ts';
import { hiddenParts } from '#tests/support/page-checks.ts';
import { PAGE_VISITS, STATE_VISITS } from '#tests/support/visits.ts';
import { test } from './fixtures.ts';
import { QUICKLY } from './shopper.ts';

/* What must hold on every page, and in every state that the API or the address can make, in every engine. */

const VISITS = [...PAGE_VISITS, ...STATE_VISITS];

// The long ones come first, so that no worker is left with one at the end.
for (const { what, isDark, visits } of [
  { what: 'every page, in the dark and in Hindi,', isDark: true, visits: PAGE_VISITS },
  { what: 'every state', isDark: false, visits: STATE_VISITS },
])
  test.describe(what, () => {
    test.use({ isDark });

    test('loads without a fault with the service worker in control, and hides nothing at 320 × 180', async ({
      shopper,
      client,
    }, { project }) => {
      const customer = await client.newSignedIn();
      await shopper.open('/contact');
      await shopper.untilControlled();
      for (const { name, prepare } of visits)
        await test.step(name, async () => {
          await shopper.visit(await prepare(client, customer), customer.token, isDark ? 'hi' : '');
          if (isDark) {
            const isDarkHere = () => matchMedia('(prefers-color-scheme: dark)').matches;
            expect(await shopper.evaluate(isDarkHere)).toBe(true);
            if (name !== 'apiTest')
              expect(await shopper.evaluate(() => document.documentElement.lang)).toBe('hi');
            expect.soft(await shopper.axe('color-contrast'), name).toEqual([]);
          }
          // Without a window manager, WebKit's window has no focus, so it hides what only focus shows.
          if (project.name === 'webkit') return;
          await shopper.resize(320, 180);
          expect.soft(await shopper.evaluate(hiddenParts), name).toEqual([]);
          await shopper.resize(800, 600);
        });
    });
  });

for (const isSignedIn of [false, true])
  test(`Back and Forward between all pages of a ${isSignedIn ? 'customer' : 'visitor'}`, async ({
    shopper,
    client,
  }, { project }) => {
    const customer = await client.newSignedIn();
    // WebKitGTK's driver loses the page if Back changes the Cross-Origin-Opener-Policy, which /payment has of its own.
    const rows = PAGE_VISITS.filter(({ row }) => project.name !== 'webkit' || !row.handsOver);
    const all = await Promise.all(rows.map(({ prepare }) => prepare(client, customer)));
    const visits = all.filter((visit) => Boolean(visit.isSignedIn) === isSignedIn);
    const cart = all.find(({ address }) => address === PAGES.checkout.path)?.cart ?? [];
    await shopper.enter({ address: '', cart, isSignedIn }, customer.token);
    const pages: { address: string; heading: string }[] = [];
    const current = async () => {
      const heading = await shopper.evaluate(() => document.querySelector('h1')?.innerText ?? '');
      return { address: await shopper.address(), heading };
    };
    for (const { address } of visits) {
      await shopper.open(address);
      await shopper.untilReady();
      pages.push(await current());
    }
    const others = pages.slice(0, -1).reverse();
    for (const [direction, expected] of [
      ['back', others],
      ['forward', [...pages.slice(1)]],
    ] as const)
      for (const page of expected) {
        await shopper.go(direction);
        await expect(async () => expect(await current()).toEqual(page)).toPass(QUICKLY);
        await shopper.untilReady();
      }
  });

for (const { name, prepare } of VISITS)
  test(`${name}: on a first visit, loads without a fault, and axe finds nothing`, async ({
    shopper,
    client,
  }) => {
    const customer = await client.newSignedIn();
    await shopper.visit(await prepare(client, customer), customer.token);
    expect(await shopper.axe()).toEqual([]);
  });
