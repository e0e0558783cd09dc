import { html } from 'hono/html';
import type { Content, Html } from './html.ts';

/** A responsive table: on narrow screens each row becomes a block with the heads as labels (`admin.css`). */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
): Html {
  const body = rows.map(
    (cells) =>
      html`<tr role="row">${cells.map((cell, index) => html`<td role="cell" data-label="${heads[index] ?? ''}">${cell}</td>`)}</tr>`,
  );
  return html`<table role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${body}</tbody></table>`;
}

const TIME = new Intl.DateTimeFormat('en-IN', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Asia/Kolkata',
});

/** Renders a time in India, such as '5 Jan 2026, 3:30 pm'. @param at ms since 1970 */
export const time = (at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${TIME.format(at)}</time>`;

export interface Pages {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly path: (page: number) => string;
}

/** Parses a page number from the query, clamped to 1 … `pages`. */
export function pageNumber(given: string | undefined, pages: number): number {
  const page = /^\d{1,7}$/.test(given ?? '') ? Number(given) : 1;
  return Math.max(1, Math.min(page, pages));
}

export function pagination({ page, pages, path }: Pages): Content {
  if (pages <= 1) return '';
  const link = (to: number, text: string, rel: string) =>
    to >= 1 && to <= pages ? html`<a class="button quiet" href="${path(to)}" rel="${rel}">${text}</a>` : '';
  return html`<nav class="pages" aria-label="Pages">${link(page - 1, 'Previous', 'prev')}
<span>Page ${page} of ${pages}</span>${link(page + 1, 'Next', 'next')}</nav>`;
}

/** A part of a record that this editor and another staff member changed. */
export interface Conflict<Shown = string> {
  readonly label: string;
  readonly yours: Shown;
  readonly now: Shown;
}

export const MERGED =
  'The form has your values where you changed something, and the saved values everywhere else. Save it again if it is right.';

/** The notice about an edit conflict, with both values. `again` says what to do now. */
export const conflictNotice = (conflicts: readonly Conflict<Content>[], again: Content): Html =>
  html`<section class="notice" role="alert" tabindex="-1" autofocus aria-labelledby="conflict">
<h2 id="conflict">This was changed in the meantime</h2>
<p>Another staff member saved it after you opened this page. Nothing of yours was saved.</p>
${
  conflicts.length === 0
    ? ''
    : table(
        'Both values',
        ['What', 'Your value', 'The value now'],
        conflicts.map(({ label, yours, now }) => [label, yours || 'nothing', now || 'nothing']),
      )
}
<p>${again}</p></section>`;
