import { toLine } from '#domain/cart.ts';
import { openPhone } from './phone.ts';
import type { BenchShop } from './shop.ts';
import type { Row } from './table.ts';
import { median } from './turns.ts';

const BAR_MS = 200;
const LINES = 500;
const ROUNDS = 5;

/** Measures the ms from a click on a stepper to the frame with the new count, in a cart of 500 lines (faults 34). */
export async function measureLargeCart(shop: BenchShop): Promise<Row[]> {
  const product = await shop.client.product(({ price }) => price > 0);
  const cart = Array.from({ length: LINES }, (_, index) =>
    toLine(product, { size: `Size ${index}`, color: '', quantity: 1 }),
  );
  const { context, page } = await openPhone(shop.browser);
  await context.addInitScript((lines) => localStorage.setItem('cart', lines), JSON.stringify(cart));
  await page.goto(`${shop.sites[0]}/cart`);
  await page.getByRole('heading', { level: 1, name: `${LINES} items` }).waitFor();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const time = await page.evaluate(async () => {
      const heading = document.querySelector('main h1');
      const button = document.querySelector<HTMLElement>('main button[aria-label="Increase quantity"]');
      if (!heading || !button) throw new Error('The cart has no stepper.');
      const shown = new Promise<void>((resolve) => {
        new MutationObserver((_, observer) => {
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(resolve));
        }).observe(heading, { subtree: true, childList: true, characterData: true });
      });
      const started = performance.now();
      button.click();
      await shown;
      return performance.now() - started;
    });
    times.push(time);
  }
  await context.close();
  const worst = Math.round(Math.max(...times));
  return [
    {
      what: 'cart of 500 lines, one edit',
      value: median(times),
      unit: 'ms',
      bar: BAR_MS,
      note: `worst of ${ROUNDS}: ${worst} ms`,
    },
  ];
}
