import { SHOP, TILES } from '#messages/hi-shop.ts';
import { hindiDate } from '#messages/hindi-date.ts';
import { createTranslator } from '#messages/translate.ts';
import css from './hindi.css?inline';

/*
 * The shop in Hindi, loaded only where it was chosen. English stays what pages, scripts and islands are written in: its
 * texts are the keys by which they are translated where they stand, before they are painted.
 */

const ATTRIBUTES = ['aria-label', 'placeholder', 'title', 'alt', 'data-label'];
const BEFORE_HYDRATION = 'ssr';

/** Texts of the catalogue and of the policies that are read out, and set, as what they are. */
const ENGLISH = '.policy-text, .product h1, .product-text p, .specs, .api-test-page';
/** What the catalogue, the server or the visitor wrote; an option's text may be its value. */
const KEPT = `${ENGLISH}, script, style, noscript, template, [translate=no], [data-no-translate], [data-store],
  option:not([value]), .card-name, .card-category, .card-add .sr-only, .category-name, .product-category,
  .product-net, .tile-name, .buy-bar-name, .options li, .breadcrumbs li + li a, [data-parent]:not([data-parent='']),
  [data-chip=category] span:first-child, .search-ideas a, .account-name, .cart-row h2`;
/** Their words are also names of categories. */
const NAMED_TILES = '.promo-tiles';
const ISLAND = 'astro-island';

const tileText = createTranslator([TILES]);
let translate = createTranslator([SHOP], hindiDate);

const hydrated = new WeakSet<Element>();

/** React names nobody to ask: its root says of itself whether it still waits for the built markup. */
function isHydrated(island: Element): boolean {
  const [, fiber] = Object.entries(island).find(([key]) => key.startsWith('__reactContainer$')) ?? [];
  return fiber?.stateNode?.current?.memoizedState?.isDehydrated === false;
}

function translateWhenHydrated(island: Element): void {
  if (hydrated.has(island) || island.hasAttribute(BEFORE_HYDRATION)) return;
  if (!isHydrated(island)) {
    requestAnimationFrame(() => translateWhenHydrated(island));
    return;
  }
  hydrated.add(island);
  unobserved(() => translateTree(island));
}

/** An island that finds its built markup changed would draw itself anew, and report an error. */
const mustWait = (element: Element): boolean => element.localName === ISLAND && !hydrated.has(element);

function translateText(node: Node): void {
  const { nodeValue, parentElement } = node;
  if (!nodeValue || parentElement?.localName === 'textarea') return;
  const text = parentElement?.closest(NAMED_TILES) ? tileText(nodeValue) : translate(nodeValue);
  if (text !== nodeValue) node.nodeValue = text;
}

function translateAttribute(element: Element, name: string): void {
  const value = element.getAttribute(name);
  if (!value) return;
  const text = translate(value);
  if (text !== value) element.setAttribute(name, text);
}

/** Whether to go on with what is in the element. */
function enter(element: Element): boolean {
  if (mustWait(element)) {
    translateWhenHydrated(element);
    return false;
  }
  if (element.matches(KEPT)) {
    if (element.matches(ENGLISH)) element.setAttribute('lang', 'en-IN');
    return false;
  }
  for (const name of ATTRIBUTES) translateAttribute(element, name);
  return true;
}

/** Whether the node is in a part that is left alone, or must wait. */
function isApart(node: Node): boolean {
  const element = node instanceof Element ? node : node.parentElement;
  const island = element?.closest(ISLAND);
  return !element || element.closest(KEPT) !== null || (island ? mustWait(island) : false);
}

function translateTree(root: Node): void {
  if (root instanceof Element ? !enter(root) : root.nodeType !== Node.TEXT_NODE) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && !enter(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  for (let node: Node | null = root; node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) translateText(node);
  }
}

function answer({ type, target, attributeName, addedNodes }: MutationRecord): void {
  if (type === 'childList') {
    for (const node of addedNodes) if (!isApart(node)) translateTree(node);
  } else if (type === 'characterData') {
    if (!isApart(target)) translateText(target);
  } else if (target instanceof Element && attributeName) {
    if (attributeName === BEFORE_HYDRATION) translateWhenHydrated(target);
    else if (!isApart(target)) translateAttribute(target, attributeName);
  }
}

const observer = new MutationObserver((records) => unobserved(() => records.forEach(answer)));

/** What is changed here is not to be answered again. */
function unobserved(work: () => void): void {
  work();
  observer.takeRecords();
}

function start(): void {
  const { documentElement } = document;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  documentElement.lang = 'hi';
  translateTree(documentElement);
  observer.observe(documentElement, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: [...ATTRIBUTES, BEFORE_HYDRATION],
  });
  if (!document.querySelector(ISLAND)) return;
  import('#messages/hi-desk.ts').then(
    ({ DESK }) => {
      translate = createTranslator([SHOP, DESK], hindiDate);
      unobserved(() => translateTree(documentElement));
    },
    () => {
      // Out of reach: these texts stay English.
    },
  );
}

if (document.readyState === 'loading') document.addEventListener('readystatechange', start, { once: true });
else start();
