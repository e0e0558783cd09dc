import { expect } from 'playwright/test';

/** What the journeys need from a browser. The clients of both engines can do it. */
export interface Browser {
  readonly open: (url: string) => Promise<unknown>;
  readonly address: () => Promise<string>;
  readonly reload: () => Promise<unknown>;
  /** Sets the size of the page in px. */
  readonly resize: (width: number, height: number) => Promise<unknown>;
  /** Runs a function in the page. It is sent there as text, so it may use nothing from outside itself. */
  readonly evaluate: <Result>(
    work: (...given: string[]) => Result,
    ...given: string[]
  ) => Promise<Awaited<Result>>;
  /** The element that such a function finds in the page; undefined if it finds none. */
  readonly find: (
    work: (...given: string[]) => Element | null,
    ...given: string[]
  ) => Promise<Found | undefined>;
  readonly close: () => Promise<unknown>;
}

/** An element of the page. All its functions reject once it is no longer in the page. */
export interface Found {
  /** Its position and size. */
  readonly place: () => Promise<unknown>;
  readonly click: () => Promise<unknown>;
  readonly type: (text: string) => Promise<unknown>;
}

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

  return {
    ...browser,
    address,
    open: (path: string) => browser.open(site + path),
    link: (name: string) => press('a', name),
    button: (name: string) => press(BUTTONS, name),
    click: (selector: string) => press(selector, ''),
    fill: (name: string, value: string) =>
      expect(async () => (await findInSight(FIELDS, name)).type(value)).toPass(),
    finds: (selector: string, name: string) => expect(() => findInSight(selector, name)).toPass(),
    sees: (words: string) => expect(async () => expect(await body()).toContain(words)).toPass(),
    /** @param path without its query */
    isAt: (path: string) => expect(async () => expect((await address()).split('?')[0]).toBe(path)).toPass(),
  };
}

export type Shopper = ReturnType<typeof createShopper>;
