/** What runs inside the page under test. Each function is sent there as text: none may use what is outside it. */

export interface Seed {
  /** The case this page belongs to; another one begins with storage of its own. */
  readonly run: string;
  readonly cart: string;
  readonly wishlist: string;
  readonly draft: string;
  /** By how much waiting is shortened. */
  readonly haste: number;
}

interface Watch {
  running: number;
  changedAt: number;
  pwned: boolean;
  violations: string[];
}

declare global {
  interface Window {
    fuzz: Watch;
    pwned: () => void;
  }
}

/** Before any script of the page: storage as a returning shopper has it, shorter waits, and what must not happen is noted. */
export function prepare(seeds: Readonly<Record<string, Seed>>): void {
  const seed = seeds[location.host];
  if (!seed) return;
  const watch: Watch = { running: 0, changedAt: performance.now(), pwned: false, violations: [] };
  window.fuzz = watch;
  window.pwned = () => {
    watch.pwned = true;
  };
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
    // Refused pictures of a refused scheme are the policy at work, not a script that tried.
    watch.violations.push(`${violatedDirective} ${blockedURI} ${sourceFile}`);
  });

  const run = /(?:^|; )fuzz-run=([^;]*)/.exec(document.cookie)?.[1] ?? '';
  if (localStorage.getItem('fuzz-run') !== run) {
    localStorage.clear();
    sessionStorage.clear();
    localStorage.setItem('fuzz-run', run);
    localStorage.setItem('fonts', '');
    localStorage.setItem('cart', seed.cart);
    localStorage.setItem('wishlist', seed.wishlist);
    sessionStorage.setItem('checkout-address', seed.draft);
  }

  const { fetch: realFetch, setTimeout: realTimeout } = window;
  const touch = (): void => {
    watch.changedAt = performance.now();
  };
  window.fetch = async (...call: Parameters<typeof fetch>) => {
    watch.running += 1;
    try {
      return await realFetch.apply(window, call);
    } finally {
      watch.running -= 1;
      touch();
    }
  };
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function sendCounted(body) {
    watch.running += 1;
    this.addEventListener('loadend', () => {
      watch.running -= 1;
      touch();
    });
    send.call(this, body);
  };
  const hasty = (work: TimerHandler, ms = 0, ...rest: unknown[]): number =>
    realTimeout(work, ms >= 100 ? ms / seed.haste : ms, ...rest);
  Object.assign(window, { setTimeout: hasty });
  window.requestIdleCallback = (work) =>
    realTimeout(() => work({ didTimeout: false, timeRemaining: () => 20 }), 0);
  new PerformanceObserver(touch).observe({ type: 'resource' });
}

/** Whether the page has come to rest: loaded, nothing asked, and nothing fetched for a moment. */
export function isSettled(quiet: number): boolean {
  const { fuzz } = window;
  if (!fuzz) return true;
  const waiting = [...document.querySelectorAll('main [aria-busy=true], main .skeleton')];
  if (waiting.some((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true })))
    return false;
  return (
    document.readyState === 'complete' && fuzz.running === 0 && performance.now() - fuzz.changedAt > quiet
  );
}

export interface Seen {
  readonly address: string;
  readonly problems: readonly string[];
  readonly cart: string | null;
  readonly text: string;
}

/** What every page must show whatever the API answered (tests/spec/faults.md, 'After every case'). */
export function inspect(): Seen {
  const problems: string[] = [];
  const isShown = (element: Element | null): boolean => {
    if (!element) return false;
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  };
  const isAuth = /^\/(?:login|register)/.test(location.pathname);
  const parts = isAuth ? ['main'] : ['header', 'main', 'footer'];
  for (const part of parts) if (!isShown(document.querySelector(part))) problems.push(`no ${part}`);
  const main = document.querySelector<HTMLElement>('main');
  const text = main?.innerText.trim() ?? '';
  if (text === '') problems.push('main says nothing');
  if (![...document.querySelectorAll('main h1, main [role=alert]')].some(isShown))
    problems.push('main has no heading');
  for (const island of document.querySelectorAll('astro-island')) {
    if (island.childElementCount === 0) problems.push(`island gone: ${island.getAttribute('component-url')}`);
  }
  const skeleton = [...document.querySelectorAll('main [aria-busy=true], main .skeleton')].find(isShown);
  if (skeleton) problems.push(`still loading: ${skeleton.outerHTML.slice(0, 120)}`);
  // The API test says what is wrong with an answer in the parser's own words.
  if (location.pathname !== '/api-test' && /\bNaN\b|\[object |\bundefined\b/.test(text))
    problems.push('NaN, undefined or an object is shown');
  if (document.documentElement.scrollWidth > innerWidth + 1)
    problems.push(`wider than the screen: ${document.documentElement.scrollWidth}`);
  const { fuzz } = window;
  if (fuzz?.pwned) problems.push('an injected script ran');
  for (const violation of fuzz?.violations ?? []) problems.push(`CSP: ${violation}`);
  if ('polluted' in {}) problems.push('Object.prototype is polluted');
  return { address: location.href, problems, cart: localStorage.getItem('cart'), text };
}

/** Fills in whatever form there is and sends it. Returns whether there was one. */
export function submitForm(texts: Readonly<Record<string, string>>): boolean {
  const form = document.querySelector<HTMLFormElement>('main form');
  if (!form) return false;
  const setter = (element: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement) =>
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set;
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    'input, textarea, select',
  )) {
    if (field.type === 'checkbox' || field.type === 'radio' || field.type === 'hidden') continue;
    const text = texts[field.name] ?? texts[field.id];
    if (text === undefined) continue;
    setter(field)?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }
  const button = form.querySelector<HTMLElement>('button[type=submit], button:not([type])');
  button?.click();
  // What the click sets off may first have to fetch its code.
  if (window.fuzz) window.fuzz.changedAt = performance.now() + 100;
  return button !== null;
}
