import { SHOP, TILES } from '#messages/hi-shop.ts';
import { hindiDate } from '#messages/hindi-date.ts';
import { createTranslator } from '#messages/translate.ts';
import css from './hindi.css?inline';

/*
 * The shop in Hindi, loaded only where it was chosen. Pages, scripts and islands are written in English; their texts are
 * the keys by which they are translated where they stand, before they are painted.
 */

const ATTRIBUTES = ['aria-label', 'placeholder', 'title', 'alt', 'data-label'];

/** What the catalogue, the server or the visitor wrote says so by `translate="no"`, an English article by `lang`. */
const LEFT_ALONE = '[translate=no], body [lang], script, style';

/** An island whose markup React has not taken over yet (islands/ui/Island.tsx): changing it now would be an error. */
const HYDRATED = 'data-hydrated';
const WAITING = `[${HYDRATED}=false]`;

/** Texts that are translated in one place only, because elsewhere the same words are names: `data-messages` says where. */
const translateTile = createTranslator([TILES]);
const IN_TILES = '[data-messages=tiles]';

let translate = createTranslator([SHOP], hindiDate);

function translateText(node: Node): void {
  const { nodeValue, parentElement } = node;
  if (!nodeValue || parentElement?.localName === 'textarea') return;
  const text = parentElement?.closest(IN_TILES) ? translateTile(nodeValue) : translate(nodeValue);
  if (text !== nodeValue) node.nodeValue = text;
}

function translateAttribute(element: Element, name: string): void {
  const value = element.getAttribute(name);
  if (!value) return;
  const text = translate(value);
  if (text !== value) element.setAttribute(name, text);
}

/** Translates the element's attributes. Returns whether to go on with what is in it. */
function enter(element: Element): boolean {
  if (element.matches(`${LEFT_ALONE}, ${WAITING}`)) return false;
  for (const name of ATTRIBUTES) translateAttribute(element, name);
  return true;
}

function isApart(node: Node): boolean {
  const element = node instanceof Element ? node : node.parentElement;
  return !element || element.closest(`${LEFT_ALONE}, ${WAITING}`) !== null;
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
  } else if (isApart(target)) return;
  else if (type === 'characterData') translateText(target);
  else if (attributeName === HYDRATED) translateTree(target);
  else if (target instanceof Element && attributeName) translateAttribute(target, attributeName);
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
    attributeFilter: [...ATTRIBUTES, HYDRATED],
  });
  if (!document.querySelector(`[${HYDRATED}]`)) return;
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
