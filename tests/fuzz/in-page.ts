/** Functions that run in the page under test. Each is sent there as text, so it may use nothing from outside itself. */

export interface Seed {
  /** The number of the case. A new case begins with new storage. */
  readonly run: string;
  readonly cart: string;
  readonly wishlist: string;
  readonly draft: string;
  /** Timers are shortened by this factor. */
  readonly speedUp: number;
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

/** Runs before the page's scripts: fills storage as for a returning shopper, shortens timers, records violations. */
export function prepare(seeds: Readonly<Record<string, Seed>>): void {
  const seed = seeds[location.host];
  if (!seed) return;
  const watch: Watch = { running: 0, changedAt: performance.now(), pwned: false, violations: [] };
  window.fuzz = watch;
  window.pwned = () => {
    watch.pwned = true;
  };
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
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
  const shortTimeout = (work: TimerHandler, ms = 0, ...rest: unknown[]): number =>
    realTimeout(work, ms >= 100 ? ms / seed.speedUp : ms, ...rest);
  Object.assign(window, { setTimeout: shortTimeout });
  window.requestIdleCallback = (work) =>
    realTimeout(() => work({ didTimeout: false, timeRemaining: () => 20 }), 0);
  new PerformanceObserver(touch).observe({ type: 'resource' });
}

/** Whether the page has come to rest: it is loaded, no request is open, and the last one ended `quiet` ms ago. */
export function isSettled(quiet: number): boolean {
  const { fuzz } = window;
  if (!fuzz) return true;
  const placeholders = [...document.querySelectorAll('main [aria-busy=true], main .skeleton')];
  if (
    placeholders.some((element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
    )
  )
    return false;
  return (
    document.readyState === 'complete' && fuzz.running === 0 && performance.now() - fuzz.changedAt > quiet
  );
}

export interface Inspection {
  readonly address: string;
  readonly problems: readonly string[];
  readonly cart: string | null;
  readonly text: string;
}

/** Checks what every page must show, whatever the API answered (tests/spec/faults.md, 'After every case'). */
export function inspect(): Inspection {
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
  // The API test page shows the parser's own message, which may contain these words.
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

/** Fills in the page's form, if there is one, and sends it. Returns whether it could be sent. */
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
  // The click may first have to load code, so the page counts as busy for a moment longer.
  if (window.fuzz) window.fuzz.changedAt = performance.now() + 100;
  return button !== null;
}
