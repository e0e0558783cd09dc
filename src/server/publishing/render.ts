import { html } from 'hono/html';
import { formatRupees } from '#domain/money.ts';
import { isPolicySlug, POLICIES } from '#domain/policy.ts';
import { formVersion, type Parts } from '#server/admin/form-version.ts';
import { hiddenInputs } from '#server/admin/forms/render.ts';
import { ADMIN, productPath } from '#server/admin/paths.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { table, time } from '#server/admin/views/pieces.ts';
import type { Differences, PublishingStatus } from '#server/process/publishing.ts';
import type { Services } from '#server/services/services.ts';
import { storePartName } from '#server/store/fields.ts';
import { explainFailure } from './explain-failure.ts';
import { hasNoDifferences } from './watcher-client.ts';

export const PUBLISH = `${ADMIN}/publish`;

export const CONFIRM_SHRINK = 'confirm-shrink';

/** Further lines are only counted, so that the page stays small. */
const MOST_LINES = 15;

function textName(name: string): string {
  const slug = name.replace(/^policies\//, '');
  return isPolicySlug(slug) ? POLICIES[slug] : (storePartName(name) ?? name);
}

const bounded = <Item>(items: readonly Item[], render: (item: Item) => Content, most = MOST_LINES): Html => {
  const rest = items.length - most;
  return html`<ul>${items.slice(0, most).map((item) => html`<li>${render(item)}</li>`)}${
    rest > 0 ? html`<li>and ${rest.toLocaleString('en-IN')} more</li>` : ''
  }</ul>`;
};

const link = (id: string, name: string): Html => html`<a href="${productPath(id)}">${name}</a>`;

const part = <Item>(title: string, items: readonly Item[], render: (item: Item) => Content): Content =>
  items.length === 0 ? '' : html`<h3>${title}</h3>${bounded(items, render)}`;

function repriced(items: Differences['repriced']): Content {
  if (items.length === 0) return '';
  const rows = items
    .slice(0, MOST_LINES)
    .map(({ id, name, from, to }) => [
      link(id, name),
      formatRupees(from),
      html`<strong>${formatRupees(to)}</strong>`,
    ]);
  const rest = items.length - MOST_LINES;
  return html`<h3>Other prices</h3>${table('Prices that shoppers pay', ['Product', 'In the shop', 'New'], rows)}
${rest > 0 ? html`<p>and ${rest.toLocaleString('en-IN')} more</p>` : ''}`;
}

export function renderDifferences(differences: Differences): Html {
  if (hasNoDifferences(differences))
    return html`<p>The shop shows everything that was saved. There is nothing to publish.</p>`;
  const { added, removed, edited, texts, isReordered } = differences;
  const name = (product: Differences['added'][number]) => link(product.id, product.name);
  return html`${repriced(differences.repriced)}${part('New', added, name)}${part('No longer sold', removed, name)}${part('Other texts or pictures', edited, name)}${part('Store and policies', texts, textName)}${
    isReordered ? html`<p>Products are in another order.</p>` : ''
  }`;
}

const PHASES = {
  building: 'Building the pages',
  checking: 'Checking the pages',
  compressing: 'Compressing the files',
};

/** More than for other changes, because the removal must be confirmed. */
const MOST_REMOVED = 200;

export const removedParts = ({ removed }: Differences): Parts => ({
  removed: removed.map(({ id }) => id).join('\n'),
});

/** The removed products, and the button that publishes anyway after the refusal. */
export function renderShrinkConfirmation(services: Services, differences: Differences): Content {
  const { removed } = differences;
  if (removed.length === 0) return '';
  const count =
    removed.length === 1
      ? 'One product would be removed'
      : `${removed.length.toLocaleString('en-IN')} products would be removed`;
  return html`<section class="notice" aria-labelledby="removed"><h2 id="removed">${count}</h2>
${bounded(removed, ({ id, name }) => link(id, name), MOST_REMOVED)}
<form method="post" action="${PUBLISH}">${hiddenInputs(services, { [CONFIRM_SHRINK]: 'yes', ...formVersion(removedParts(differences)) })}
<button class="danger">Publish anyway</button></form></section>`;
}

/** The phase of the running publication; undefined without one. */
export function progressText({ state, phase }: PublishingStatus): string | undefined {
  if (state !== 'building') return undefined;
  return `${phase === undefined ? 'Publishing' : PHASES[phase]} …`;
}

export function renderFailure(failure: string): Html {
  const reasons = explainFailure(failure).map(
    ({ what, advice }) => html`<p><strong>${what}</strong> ${advice}</p>`,
  );
  return html`<section class="notice" aria-labelledby="failed"><h2 id="failed">The last publication failed</h2>
<p>Shoppers still see the shop as it was before.</p>${reasons}
<details><summary>The message in full</summary><p class="text">${failure}</p></details></section>`;
}

/** The last line of a summary is about files, which do not concern editors. */
const isForEditors = (line: string): boolean => !/^[\d,]+ pages? written/.test(line);

/** In lines. A longer summary is collapsed. */
const SHORT_SUMMARY = 4;

function renderSummary(summary: readonly string[]): Content {
  const lines = summary.filter(isForEditors);
  if (lines.length === 0) return 'Other pages, no product.';
  const rest = lines.length - MOST_LINES;
  const text = [...lines.slice(0, MOST_LINES), ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n');
  if (lines.length <= SHORT_SUMMARY) return html`<span class="text">${text}</span>`;
  const heads = lines.filter((line) => !line.startsWith(' ')).map((line) => line.replace(/:$/, ''));
  return html`<details><summary>${heads.join(', ')}</summary><span class="text">${text}</span></details>`;
}

export function renderReleases({ releases, live }: PublishingStatus): Content {
  if (releases.length === 0) return html`<p>Nothing has been published yet.</p>`;
  const rows = releases.map(({ id, at, summary }) => {
    const badge = id === live ? html` <span class="badge status-green">Live</span>` : '';
    const number = id.replace(/-.*/, '').replace(/^0+/, '');
    return [html`<div>${time(Date.parse(at))}${badge}</div>`, number, renderSummary(summary)];
  });
  return table('Newest first', ['When', 'Number', 'What changed'], rows);
}

/** Returns '' without a release to go back to. */
export function renderRollBack(services: Services, { live, releases }: PublishingStatus): Content {
  if (live === undefined || releases.length < 2) return '';
  return html`<h2>Go back</h2><p>Shoppers see the shop as it was before the last publication, within seconds. What you have saved stays saved: correct it, or the next publication shows it again.</p>
<details><summary>Go back one publication</summary><form method="post" action="${PUBLISH}/back">${hiddenInputs(services, { live })}
<button class="danger">Yes, go back</button></form></details>`;
}
