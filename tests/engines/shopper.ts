import { expect } from 'playwright/test';
import { axeFindings, axeSource } from '#tests/support/page-checks.ts';
import type { Visit } from '#tests/support/visits.ts';

export interface Engine {
  /** Opens a tab without cookies. What else a browser stores, it keeps for an address, and each test has its own. */
  readonly newBrowser: (options: { readonly isDark: boolean }) => Promise<Browser>;
  readonly close: () => Promise<unknown>;
}

/** What the tests need from a browser. The clients of all engines can do it. */
export interface Browser {
  readonly open: (url: string) => Promise<unknown>;
  readonly address: () => Promise<string>;
  /** Sets the size of the page in px. WebKit's window is never narrower than 447 px. */
  readonly resize: (width: number, height: number) => Promise<unknown>;
  /** Runs a function or a text in the page. A function is sent as text, so it may use nothing from outside itself. */
  readonly evaluate: <Result>(
    work: string | ((...given: string[]) => Result),
    ...given: string[]
  ) => Promise<Awaited<Result>>;
  /** The element that such a function finds in the page; undefined if it finds none. */
  readonly find: (
    work: (...given: string[]) => Element | null,
    ...given: string[]
  ) => Promise<Found | undefined>;
  /** All others are about the tab that was opened or shown last. */
  readonly openTab: () => Promise<unknown>;
  readonly showTab: (index: number) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

/** An element of the page. All its functions reject once it is no longer in the page. */
export interface Found {
  /** Its position and size. */
  readonly place: () => Promise<unknown>;
  readonly click: () => Promise<unknown>;
  readonly type: (text: string) => Promise<unknown>;
}

/** An engine is fast, but each look at WebKit takes 20 ms of a core. */
export const QUICKLY = { intervals: [50, 200] };

const BUTTONS = 'button, [role=button], summary, input[type=submit]';
const FIELDS = 'input:not([type=hidden]), select, textarea';

/**
 * Finds the first visible element that matches a selector and, unless it is empty, has this name. Scrolls it to the
 * middle of the window, because WebKitGTK does not scroll before a click.
 */
function findVisible(selector: string, name: string): Element | null {
  const nameOf = (element: HTMLElement): string => {
    const labels: NodeListOf<HTMLLabelElement> | null | undefined = Reflect.get(element, 'labels');
    const text = element.getAttribute('aria-label') ?? labels?.[0]?.innerText ?? element.innerText;
    return text.replace(/\s+/g, ' ').trim();
  };
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(
    (element) => element.getClientRects().length > 0 && (name === '' || nameOf(element) === name),
  );
  found?.scrollIntoView({ block: 'center', behavior: 'instant' });
  return found ?? null;
}

/** Puts into a browser what a visit needs. Runs in a page of the site without scripts. */
function prepare(cart: string, token: string, language: string): void {
  sessionStorage.clear();
  localStorage.setItem('cart', cart);
  if (language) localStorage.setItem('fresh-fruits.language', language);
  // biome-ignore lint/suspicious/noDocumentCookie: every engine has it.
  document.cookie = `auth_token=${token}; path=/; SameSite=Lax${token ? '' : '; max-age=0'}`;
}

/** Whether the page has loaded, hydrated its islands and, unless it is bare, sent its last own request. */
function isReady(): boolean {
  const requests = performance.getEntriesByType('resource');
  return (
    document.readyState === 'complete' &&
    document.querySelector('h1') !== null &&
    document.querySelector('astro-island:not(:has(> [data-hydrated=true]))') === null &&
    (document.querySelector('.footer') === null ||
      requests.some(({ name }) => name.endsWith('/build-info.json')))
  );
}

const ALARM = /could not be loaded|has stopped|is out of date/;

/** The actions of a shopper with one browser, and what the shopper sees. */
export function createShopper(browser: Browser, site: string) {
  const address = async (): Promise<string> => (await browser.address()).replace(site, '');
  const findInSight = async (selector: string, name: string): Promise<Found> => {
    const found = await browser.find(findVisible, selector, name);
    if (!found) throw new Error(`There is no ${selector} '${name}' in sight.`);
    return found;
  };
  /** Clicks an element once it stays in place. A page may render again, and a click on a replaced element is lost. */
  function press(selector: string, name: string): Promise<void> {
    let lastPlace: unknown;
    return expect(async () => {
      const found = await findInSight(selector, name);
      const [place, placeBefore] = [await found.place(), lastPlace];
      lastPlace = place;
      expect(place).toEqual(placeBefore);
      await found.click();
    }).toPass({ intervals: [100] });
  }
  const body = (): Promise<string> => browser.evaluate(() => document.body.innerText);
  const open = (path: string) => browser.open(site + path);
  const sees = (words: string): Promise<void> =>
    expect(async () => expect(await body()).toContain(words)).toPass(QUICKLY);
  /** Waits until the page has loaded completely, without an alarm. */
  const untilReady = async (): Promise<void> => {
    await expect(async () => expect(await browser.evaluate(isReady)).toBe(true)).toPass(QUICKLY);
    expect(await body()).not.toMatch(ALARM);
  };
  const enter = async ({ cart = [], isSignedIn }: Visit, token: string, language = ''): Promise<void> => {
    await open('/robots.txt');
    await browser.evaluate(prepare, JSON.stringify(cart), isSignedIn ? token : '', language);
  };

  return {
    ...browser,
    address,
    open,
    enter,
    untilReady,
    /** Opens the page of a visit and waits until it is complete. */
    visit: async (visit: Visit, token: string, language?: string): Promise<void> => {
      await enter(visit, token, language);
      await open(visit.address);
      await untilReady();
      if (visit.shows && !language) await sees(visit.shows);
    },
    /** What axe finds on the page. */
    axe: async (...rules: string[]): Promise<string[]> => {
      await browser.evaluate(axeSource);
      return browser.evaluate(axeFindings, rules.join(' '));
    },
    go: (direction: 'back' | 'forward') =>
      browser.evaluate(
        (name) => void setTimeout(() => (name === 'back' ? history.back() : history.forward())),
        direction,
      ),
    untilControlled: () =>
      expect(async () =>
        expect(await browser.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true),
      ).toPass(QUICKLY),
    /** Chooses an option of a native select. */
    choose: (name: string, option: string) =>
      browser.evaluate(
        (label, text) => {
          for (const select of document.querySelectorAll('select')) {
            const chosen = [...select.options].find((each) => each.text === text);
            if (!chosen || select.labels[0]?.innerText.trim() !== label) continue;
            select.value = chosen.value;
            select.dispatchEvent(new Event('change', { bubbles: true }));
          }
        },
        name,
        option,
      ),
    link: (name: string) => press('a', name),
    button: (name: string) => press(BUTTONS, name),
    click: (selector: string) => press(selector, ''),
    fill: (name: string, value: string) =>
      expect(async () => (await findInSight(FIELDS, name)).type(value)).toPass(),
    finds: (selector: string, name: string) => expect(() => findInSight(selector, name)).toPass(QUICKLY),
    /** Waits until the service worker has stored these addresses. */
    untilCached: (...paths: string[]) =>
      expect(async () => {
        const missing = await browser.evaluate(
          async (...wanted) => {
            const found = await Promise.all(wanted.map((path) => caches.match(path)));
            return wanted.filter((_, index) => !found[index]);
          },
          ...paths,
        );
        expect(missing).toEqual([]);
      }).toPass(QUICKLY),
    sees,
    /** @param path without its query */
    isAt: async (path: string) => {
      await expect(async () => expect((await address()).split('?')[0]).toBe(path)).toPass(QUICKLY);
      await untilReady();
    },
  };
}

export type Shopper = ReturnType<typeof createShopper>;
