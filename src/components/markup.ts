import { escapeMarkup } from '#domain/text.ts';

/*
 * Markup that the build writes and the browser renders again, such as a card whose price has changed. It is one function
 * with `html` or `element` as its first parameter. No string becomes HTML in the browser (Trusted Types).
 */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Content<Node> = Node | string | false | undefined;
type Name = keyof HTMLElementTagNameMap | 'svg' | 'path';

/** Makes an element. Leaves out attributes and content that are false or undefined. */
export type Make<Node> = (name: Name, attributes?: Attributes, ...content: Content<Node>[]) => Node;

export interface Html {
  readonly html: string;
}

const valuesOf = (attributes: Attributes): [name: string, value: string][] =>
  Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [[name, value === true ? '' : String(value)]],
  );

/** For the build. */
export const html: Make<Html> = (name, attributes = {}, ...content) => {
  const values = valuesOf(attributes).map(([key, value]) =>
    value ? ` ${key}="${escapeMarkup(value)}"` : ` ${key}`,
  );
  const parts = content.map((part) =>
    typeof part === 'string' ? escapeMarkup(part) : part ? part.html : '',
  );
  const end = name === 'img' || name === 'input' ? '' : `</${name}>`;
  return { html: `<${name}${values.join('')}>${parts.join('')}${end}` };
};

/** For the browser. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  name: Tag,
  attributes?: Attributes,
  ...content: Content<Element>[]
): HTMLElementTagNameMap[Tag];
export function element(name: Name, attributes?: Attributes, ...content: Content<Element>[]): Element;
export function element(name: Name, attributes: Attributes = {}, ...content: Content<Element>[]): Element {
  const isSvg = name === 'svg' || name === 'path';
  const made = isSvg
    ? document.createElementNS('http://www.w3.org/2000/svg', name)
    : document.createElement(name);
  for (const [key, value] of valuesOf(attributes)) made.setAttribute(key, value);
  made.append(...content.flatMap((part) => part || []));
  return made;
}

/** A Lucide icon (ISC licence). @param size in px */
export const icon = <Node>(make: Make<Node>, path: string, size: number, className?: string): Node =>
  make(
    'svg',
    {
      class: className ? `icon ${className}` : 'icon',
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      'aria-hidden': 'true',
    },
    make('path', { d: path }),
  );

export const CLOSE = 'M18 6L6 18M6 6l12 12';

/**
 * Adds styles to the page, as one rule of its last own sheet. The CSP allows no new style element, and Safari has
 * constructable sheets only since 16.4. Extensions mark their sheets.
 */
export function addStyles(css: string): void {
  const own = [...document.querySelectorAll<HTMLStyleElement>('style:not([class], [id])')];
  const sheet = own.pop()?.sheet;
  sheet?.insertRule(`@media all{${css}}`, sheet.cssRules.length);
}
