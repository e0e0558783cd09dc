import type { Page } from 'playwright';

/** The sessionStorage key of the note. */
export const KEY = 'bench-first-tap';

/** Times in ms since the page's start. */
export interface Note {
  readonly down?: number;
  /** The frame in which the button or the cart's badge looked different. */
  readonly shown?: number;
  readonly badge?: number;
  /** The moment when all module scripts had run. */
  readonly ready?: number;
}

/** Notes what follows the first tap of a visit. The note survives a navigation. */
export function watchFirstTap(key: string): void {
  if (sessionStorage.getItem(key)) return;
  const note: Record<string, number> = {};
  const save = (name: string, time: number): void => {
    note[name] ??= time;
    if (note.down) sessionStorage.setItem(key, JSON.stringify(note));
  };
  const drawn = (names: readonly string[]): void => {
    requestAnimationFrame((): void => {
      for (const name of names) save(name, performance.now());
    });
  };
  const tapped = ({ timeStamp, target }: Event): void => {
    const button = target instanceof Element ? target.closest('button') : null;
    const cart = document.querySelector('header a[href="/cart"]');
    if (!button || !cart) throw new Error('The tap was on no button, or the header has no cart.');
    save('down', timeStamp);
    const before = cart.textContent;
    const watched = { attributes: true, childList: true, characterData: true, subtree: true };
    new MutationObserver(() => drawn(['shown'])).observe(button, watched);
    new MutationObserver(() => {
      if (cart.textContent !== before) drawn(['badge', 'shown']);
    }).observe(cart, watched);
  };
  addEventListener('pointerdown', tapped, { capture: true, once: true });
  addEventListener('DOMContentLoaded', () => save('ready', performance.now()));
}

/** Waits for the first paint, and brings the button into view. Returns the coordinates of its middle. */
export const placeWhenPainted = (page: Page, name: string): Promise<{ x: number; y: number }> =>
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

/** Whether the note in the open page is complete. */
export function isAnswered(key: string): boolean {
  const note = sessionStorage.getItem(key) ?? '';
  return note.includes('"badge"') && note.includes('"ready"');
}

/** Reads the note and the cart. If the page is left meanwhile, the next page is read. */
export async function readNote(page: Page): Promise<{ note: Note; cart: { quantity: number }[] }> {
  const ask = () =>
    page.evaluate((key) => [sessionStorage.getItem(key) ?? '{}', localStorage.getItem('cart') ?? '[]'], KEY);
  const [note = '', cart = ''] = await ask().catch(() => page.waitForLoadState().then(ask));
  return { note: JSON.parse(note), cart: JSON.parse(cart) };
}
