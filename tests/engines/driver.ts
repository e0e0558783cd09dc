import * as v from 'valibot';

/** What the journeys need of W3C WebDriver, whichever wire it travels on. */
export type Command =
  | 'open'
  | 'address'
  | 'run'
  | 'click'
  | 'type'
  | 'back'
  | 'reload'
  | 'tab'
  | 'switch'
  | 'current';

export interface Browser {
  readonly name: string;
  /** What the browser says of itself. */
  readonly version: string;
  /** Sends one command. @throws Error with the browser's words where it refuses */
  readonly send: (command: Command, parameters?: Record<string, unknown>) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** The name W3C WebDriver gives to a reference to an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const ElementSchema = v.pipe(
  v.object({ [ELEMENT]: v.string() }),
  v.transform((found) => found[ELEMENT] ?? ''),
);

const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;

/** Runs in the page: the visible element of a selector whose accessible name or text is `name`. */
const FIND = `
  const [selector, name] = arguments;
  const labelled = (element) => (element.labels?.length ? element.labels[0].innerText : undefined);
  const nameOf = (element) =>
    (element.getAttribute('aria-label') ?? labelled(element) ?? element.innerText ?? '').replace(/\\s+/g, ' ').trim();
  return [...document.querySelectorAll(selector)].find(
    (element) => element.getClientRects().length > 0 && (name === null || nameOf(element) === name),
  ) ?? null;`;

/** Drivers differ in how they open a select's list: the choice is made as its events tell it. */
const CHOOSE = `
  const [name, option] = arguments;
  const select = [...document.querySelectorAll('select')].find(({ labels }) => labels[0]?.innerText.trim() === name);
  select.value = [...select.options].find(({ text }) => text === option).value;
  select.dispatchEvent(new Event('input', { bubbles: true }));
  select.dispatchEvent(new Event('change', { bubbles: true }));`;

/**
 * Brings FIND's element to the middle of the window; WebKitGTK does not. Returns where it stands in the document, and
 * which one of all it is; empty where there is none.
 */
const PLACE = `
  const found = (function () {${FIND}}).apply(null, arguments);
  if (!found) return '';
  found.scrollIntoView({ block: 'center', behavior: 'instant' });
  window.pressed ??= new WeakMap();
  if (!pressed.has(found)) pressed.set(found, Math.random());
  const { x, y, width, height } = found.getBoundingClientRect();
  return [pressed.get(found), x + scrollX, y + scrollY, width, height].join(' ');`;

const BUTTONS = 'button, [role=button], summary, input[type=submit]';
const FIELDS = 'input:not([type=hidden]), select, textarea';

/** Asks again until the answer is neither undefined nor false. @throws Error naming what did not come */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | undefined | false>,
): Promise<Value> {
  const end = Date.now() + PATIENCE_MS;
  let refused = '';
  while (Date.now() < end) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      refused = '';
    } catch (error) {
      refused = ` (${error instanceof Error ? error.message : String(error)})`;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`Not within ${PATIENCE_MS / 1_000} s: ${what}${refused}`);
}

/** What a shopper does and sees, with one browser. */
export function createShopper({ send }: Browser, site: string) {
  const run = (script: string, ...args: unknown[]): Promise<unknown> => send('run', { script, args });
  const text = (script: string, ...args: unknown[]): Promise<string> =>
    run(script, ...args).then((value) => v.parse(v.string(), value));
  const address = async (): Promise<string> => v.parse(v.string(), await send('address')).replace(site, '');

  const find = (selector: string, name: string | null): Promise<string> =>
    until(`${selector} '${name ?? ''}' is there`, async () => {
      const found = v.safeParse(ElementSchema, await run(FIND, selector, name));
      return found.success && found.output;
    });
  const placeOf = (selector: string, name: string | null): Promise<string> => text(PLACE, selector, name);
  /** Once it stands still: a page may draw itself again in between, and a press on what is replaced is none. */
  const press = (selector: string, name: string | null): Promise<boolean> =>
    until(`${selector} '${name ?? ''}' can be clicked`, async () => {
      const place = await placeOf(selector, name);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (place === '' || place !== (await placeOf(selector, name))) return false;
      await send('click', { id: await find(selector, name) });
      return true;
    });

  const body = (): Promise<string> => text('return document.body.innerText');

  return {
    run,
    text,
    address,
    open: (path: string) => send('open', { url: site + path }),
    back: () => send('back'),
    reload: () => send('reload'),
    link: (name: string) => press('a', name),
    button: (name: string) => press(BUTTONS, name),
    click: (selector: string) => press(selector, null),
    async fill(name: string, value: string): Promise<void> {
      await send('type', { id: await find(FIELDS, name), text: value });
    },
    choose: async (name: string, option: string): Promise<void> => {
      await find('select', name);
      await run(CHOOSE, name, option);
    },
    sees: (words: string) => until(`'${words}' is shown`, async () => (await body()).includes(words)),
    isAt: (path: string | RegExp) =>
      until(`the address is ${path}`, async () => {
        const now = await address();
        return (typeof path === 'string' ? now === path : path.test(now)) && now;
      }).catch(async (error: Error) => {
        throw new Error(`${error.message}; it is ${await address()}`);
      }),
    body,
    find,
    current: async () => v.parse(v.string(), await send('current')),
    switchTo: (handle: string) => send('switch', { handle }),
    newTab: async (): Promise<string> =>
      v.parse(v.object({ handle: v.string() }), await send('tab', { type: 'tab' })).handle,
  };
}

export type Shopper = ReturnType<typeof createShopper>;
