import { addStyles } from '#components/markup.ts';
import { BUYING } from '#domain/buying/hindi.ts';
import { hindiDate } from '#domain/hindi-date.ts';
import { SHOP, TILES } from '#i18n/hi-shop.ts';
import { createTranslator } from '#i18n/translate.ts';
import css from './hindi.css?inline';

/*
 * Translates the shop into Hindi. Loaded only if the visitor has chosen it. The English texts of pages, scripts and islands
 * are the keys of the translation. They are replaced in the DOM before they are painted.
 */

const ATTRIBUTES = ['aria-label', 'placeholder', 'title', 'alt', 'data-label'];

/** Texts of the catalogue, the server or the visitor have `translate="no"`. English articles have a `lang`. */
const NOT_TRANSLATED = '[translate=no], body [lang], script, style';

const HYDRATED = 'data-hydrated';
/** React reports an error if a script changes the markup before hydration. */
const WAITING = `[${HYDRATED}=false]`;

/** The words of these tiles are also category names, which elsewhere are not translated. */
const TILES_SELECTOR = '[data-texts=tiles]';
const translateTile = createTranslator([TILES]);

let translate = createTranslator([SHOP, BUYING], hindiDate);

function translateText(node: Node): void {
  const { nodeValue, parentElement } = node;
  if (!nodeValue || parentElement?.localName === 'textarea') return;
  const text = parentElement?.closest(TILES_SELECTOR) ? translateTile(nodeValue) : translate(nodeValue);
  if (text !== nodeValue) node.nodeValue = text;
}

function translateAttribute(element: Element, name: string): void {
  const value = element.getAttribute(name);
  if (!value) return;
  const text = translate(value);
  if (text !== value) element.setAttribute(name, text);
}

/** Translates the element's attributes. Returns whether its content should be translated too. */
function enter(element: Element): boolean {
  if (element.matches(`${NOT_TRANSLATED}, ${WAITING}`)) return false;
  for (const name of ATTRIBUTES) translateAttribute(element, name);
  return true;
}

function isExcluded(node: Node): boolean {
  const element = node instanceof Element ? node : node.parentElement;
  return !element || element.closest(`${NOT_TRANSLATED}, ${WAITING}`) !== null;
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

function translateChange({ type, target, attributeName, addedNodes }: MutationRecord): void {
  if (type === 'childList') {
    for (const node of addedNodes) if (!isExcluded(node)) translateTree(node);
  } else if (isExcluded(target)) return;
  else if (type === 'characterData') translateText(target);
  else if (attributeName === HYDRATED) translateTree(target);
  else if (target instanceof Element && attributeName) translateAttribute(target, attributeName);
}

const observer = new MutationObserver((records) => unobserved(() => records.forEach(translateChange)));

/** Runs work whose own changes to the DOM the observer must ignore. */
function unobserved(work: () => void): void {
  work();
  observer.takeRecords();
}

function start(): void {
  const { documentElement } = document;
  addStyles(css);
  documentElement.lang = 'hi';
  translateTree(documentElement);
  observer.observe(documentElement, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: [...ATTRIBUTES, HYDRATED],
  });
  if (!document.querySelector(`[${HYDRATED}]`)) return;
  import('#i18n/hi-islands.ts').then(
    ({ ISLAND_TEXTS }) => {
      translate = createTranslator([SHOP, BUYING, ISLAND_TEXTS], hindiDate);
      unobserved(() => translateTree(documentElement));
    },
    () => {
      // Without this file the texts of the islands stay English.
    },
  );
}

if (document.readyState === 'loading') document.addEventListener('readystatechange', start, { once: true });
else start();
