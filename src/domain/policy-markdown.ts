import { createHash } from 'node:crypto';
import MarkdownIt from 'markdown-it';
import { placeholderNames, replacePlaceholders } from './policy.ts';

/*
 * A policy is written in Markdown or in HTML. What is sent and built is HTML, which is cleaned afterwards
 * (src/domain/policy-markup.ts), so HTML within Markdown may pass. It takes time in proportion to the text.
 */

// Text that somebody has pasted with spaces before it is no code.
const markdown = new MarkdownIt({ html: true }).disable(['image', 'code']);
markdown.renderer.rules.th_open = (tokens, index, options, _environment, renderer) => {
  tokens[index]?.attrSet('scope', 'col');
  return renderer.renderToken(tokens, index, options);
};

/** As `plain` of src/domain/policy.ts writes them, which `replacePlaceholders` passes on. */
const NAMES = new Map(placeholderNames().map((name, index) => [name.toLowerCase(), { name, index }]));

/** A text that begins with a tag is HTML. */
export const isHtml = (text: string): boolean => text.trimStart().startsWith('<');

/** `[whatsapp](…)`, `[whatsapp][…]` and `[whatsapp]: …` are links of Markdown. */
const isLink = (placeholder: string, next: string): boolean =>
  placeholder.startsWith('[') && /^[([:]/.test(next);

/**
 * The HTML of a policy's text, with its placeholders as `{{name}}`. HTML is returned as it is. In Markdown, letters and
 * digits that the text does not have stand for the placeholders meanwhile: neither emphasis nor a link's address then changes them.
 */
export function policyHtmlOf(text: string): string {
  if (isHtml(text)) return text;
  if (text !== last.text) last = { text, html: render(text) };
  return last.html;
}

/** The last text: a form's text is rendered when it is checked, and again when it is shown. */
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
