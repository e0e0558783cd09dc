import { html } from 'hono/html';
import type { Content, Html } from './html.ts';

/** A table. Where there is little room, each row becomes a block, in which every value has its head above it (`admin.css`). */
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

/** A time in India, such as '5 Jan 2026, 3:30 pm'. @param at ms since 1970 */
export const time = (at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${TIME.format(at)}</time>`;

export interface Pages {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** The address of a page. */
  readonly path: (page: number) => string;
}

/** Reads a page's number from an address, from 1 to `pages`. */
export function pageNumber(given: string | undefined, pages: number): number {
  const page = /^\d{1,7}$/.test(given ?? '') ? Number(given) : 1;
  return Math.max(1, Math.min(page, pages));
}

/** The links to the other pages of a list; nothing where there is one page. */
export function pagination({ page, pages, path }: Pages): Content {
  if (pages <= 1) return '';
  const link = (to: number, text: string, rel: string) =>
    to >= 1 && to <= pages ? html`<a class="button quiet" href="${path(to)}" rel="${rel}">${text}</a>` : '';
  return html`<nav class="pages" aria-label="Pages">${link(page - 1, 'Previous', 'prev')}
<span>Page ${page} of ${pages}</span>${link(page + 1, 'Next', 'next')}</nav>`;
}

/** A part of which two values were saved or typed. */
export interface Conflict<Shown = string> {
  readonly label: string;
  readonly yours: Shown;
  readonly now: Shown;
}

/** What is said of a form that has the others' values where only they changed something. */
export const MERGED =
  'The form has your values where you changed something, and the others’ everywhere else. Save it again if it is right.';

/** Both values of what somebody else changed meanwhile. `again` says what to do about it. */
export const conflictNotice = (conflicts: readonly Conflict<Content>[], again: Content): Html =>
  html`<section class="notice" role="alert" tabindex="-1" autofocus aria-labelledby="conflict">
<h2 id="conflict">This was changed meanwhile</h2>
<p>Somebody else saved it after this page was opened. Nothing of yours was saved.</p>
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
