import { createHash } from 'node:crypto';
import MarkdownIt from 'markdown-it';
import { placeholderNames, replacePlaceholders } from './policy.ts';

/* Policies are Markdown or HTML. The resulting HTML is sanitised later (policy-markup.ts), so Markdown may contain HTML. */

// Pasted text often starts with spaces, so indented text is not code.
const markdown = new MarkdownIt({ html: true }).disable(['image', 'code']);
markdown.renderer.rules.th_open = (tokens, index, options, _environment, renderer) => {
  tokens[index]?.attrSet('scope', 'col');
  return renderer.renderToken(tokens, index, options);
};

/** By the normalised name that `replacePlaceholders` passes. */
const NAMES = new Map(placeholderNames().map((name, index) => [name.toLowerCase(), { name, index }]));

/** A text that begins with a tag is HTML. */
export const isHtml = (text: string): boolean => text.trimStart().startsWith('<');

/** `[whatsapp](…)`, `[whatsapp][…]` and `[whatsapp]: …` are links of Markdown. */
const isLink = (placeholder: string, next: string): boolean =>
  placeholder.startsWith('[') && /^[([:]/.test(next);

/**
 * Returns the HTML of a policy, with its placeholders as `{{name}}`. Returns HTML unchanged. While Markdown is rendered,
 * unique tokens replace the placeholders, so that emphasis and link addresses do not change them.
 */
export function policyHtmlOf(text: string): string {
  if (isHtml(text)) return text;
  if (text !== last.text) last = { text, html: render(text) };
  return last.html;
}

/** Caches the last text, because a form renders its text twice: to validate it and to show it. */
let last = { text: '', html: '' };

function render(text: string): string {
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 24);
  const tokenOf = (index: number): string => `${mark}${String(index).padStart(3, '0')}`;
  const hidden = replacePlaceholders(text, (name, placeholder, next) => {
    const known = NAMES.get(name);
    return known && !isLink(placeholder, next) ? tokenOf(known.index) : undefined;
  });
  let html = markdown.render(hidden);
  for (const { name, index } of NAMES.values()) html = html.replaceAll(tokenOf(index), `{{${name}}}`);
  return html;
}
