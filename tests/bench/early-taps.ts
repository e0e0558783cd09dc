import type { Page } from 'playwright';
import { openSlowPhone, SLOW_PHONE_NOTE } from './phone.ts';
import type { BenchShop } from './shop.ts';
import { compared, type Row } from './table.ts';
import { inTurns, median } from './turns.ts';

const ROUNDS = 7;
const BAR_MS = 100;
/** A tap that nothing has answered by then is lost. */
const PATIENCE_MS = 20_000;
const KEY = 'bench-early-tap';

interface Target {
  readonly name: string;
  readonly path: (shop: BenchShop) => string;
  /** The button's accessible name. */
  readonly button: string;
}

const TARGETS: readonly Target[] = [
  { name: 'card', path: () => '/products', button: '^Add .* to cart$' },
  { name: 'product', path: ({ productPath }) => productPath, button: '^Add to Cart$' },
];

/** Times in ms since the page's start. */
interface Note {
  readonly down?: number;
  /** The frame in which the button, or the cart's badge, was drawn another way. */
  readonly shown?: number;
  readonly badge?: number;
  /** When all module scripts had run. */
  readonly ready?: number;
}

/** Notes what follows the first tap of a visit. A navigation does not lose it. */
function watch(key: string): void {
  if (sessionStorage.getItem(key)) return;
  const note: Record<string, number> = {};
  const save = (name: string, time: number): void => {
    note[name] ??= time;
    if (note.down) sessionStorage.setItem(key, JSON.stringify(note));
  };
  const observe = (element: Element | null, names: readonly string[]): void => {
    if (!element) throw new Error('The tap was on no button, or the header has no cart.');
    const drawn = (time: number): void => {
      for (const name of names) save(name, time);
    };
    const observer = new MutationObserver(() => {
      observer.disconnect();
      requestAnimationFrame(() => drawn(performance.now()));
    });
    observer.observe(element, { attributes: true, childList: true, characterData: true, subtree: true });
  };
  const tapped = ({ timeStamp, target }: Event): void => {
    save('down', timeStamp);
    observe(target instanceof Element ? target.closest('button') : null, ['shown']);
    observe(document.querySelector('header a[href="/cart"]'), ['badge', 'shown']);
  };
  addEventListener('pointerdown', tapped, { capture: true, once: true });
  addEventListener('DOMContentLoaded', () => save('ready', performance.now()));
}

/** Waits for the first paint, and brings the button into view. Gives its middle. */
const whereOnceDrawn = (page: Page, name: string): Promise<{ x: number; y: number }> =>
  page.evaluate(async (pattern) => {
    const find = (): HTMLElement | undefined =>
      [...document.querySelectorAll<HTMLElement>('main button')].find(({ textContent }) =>
        new RegExp(pattern).test(textContent.trim().replace(/\s+/g, ' ')),
      );
    const isPainted = (): boolean => performance.getEntriesByName('first-contentful-paint').length > 0;
    let button = find();
    while (!button || !isPainted()) {
      await new Promise(requestAnimationFrame);
      button = find();
    }
    button.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = button.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }, name);

interface Tap {
  readonly isEarly: boolean;
  /** ms from the finger to what is seen of it. */
  readonly shown: number;
  /** ms from the later of finger and script to the badge. */
  readonly badge: number;
  /** Neither lost nor counted twice. */
  readonly isOne: boolean;
}

async function tapOnce(shop: BenchShop, site: string, { path, button }: Target): Promise<Tap> {
  const { context, page } = await openSlowPhone(shop.browser);
  await page.addInitScript(watch, KEY);
  await page.goto(site + path(shop), { waitUntil: 'commit' });
  const { x, y } = await whereOnceDrawn(page, button);
  await page.touchscreen.tap(x, y);
  const answered = (key: string): boolean =>
    /"badge".*"ready"|"ready".*"badge"/.test(sessionStorage.getItem(key) ?? '');
  await page.waitForFunction(answered, KEY, { timeout: PATIENCE_MS }).catch(() => {});
  const [text, cart] = await page.evaluate(
    (key) => [sessionStorage.getItem(key), localStorage.getItem('cart')] as const,
    KEY,
  );
  await context.close();
  const {
    down = Number.NaN,
    shown = Number.NaN,
    badge = Number.NaN,
    ready = badge,
  }: Note = JSON.parse(text ?? '{}');
  const lines: { quantity: number }[] = JSON.parse(cart ?? '[]');
  return {
    isEarly: down < ready,
    shown: shown - down,
    badge: Math.max(0, badge - Math.max(down, ready)),
    isOne: lines.reduce((sum, { quantity }) => sum + quantity, 0) === 1,
  };
}

async function rowsOf(shop: BenchShop, target: Target): Promise<Row[]> {
  const taps = await inTurns(shop.sites, ROUNDS, (site) => tapOnce(shop, site, target));
  const early = taps.map((visits) => visits.filter(({ isEarly }) => isEarly).length).join(' and ');
  const note = `before the scripts in ${early} of ${ROUNDS} visits; ${SLOW_PHONE_NOTE}`;
  const row = (what: string, value: (tap: Tap) => number): Row =>
    compared(
      { what: `tap right after first paint, ${target.name}: ${what}`, unit: 'ms', bar: BAR_MS, note },
      taps.map((visits) => median(visits.map(value))),
    );
  return [
    row('shown', ({ shown }) => shown),
    row('from scripts ready to badge', ({ badge }) => badge),
    compared(
      { what: `tap right after first paint, ${target.name}: lost or twice`, unit: '', bar: 0, note },
      taps.map((visits) => visits.filter(({ isOne }) => !isOne).length),
    ),
  ];
}

/** A tap before the page's script is shown at once, and answered when the script is there. */
export async function measureEarlyTaps(shop: BenchShop): Promise<Row[]> {
  const rows: Row[] = [];
  for (const target of TARGETS) rows.push(...(await rowsOf(shop, target)));
  return rows;
}
