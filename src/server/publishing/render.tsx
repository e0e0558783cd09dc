import type { ReactNode } from 'react';
import { formatRupees } from '#domain/money.ts';
import { isPolicySlug, POLICIES } from '#domain/policy.ts';
import { formVersion, type Parts } from '#server/admin/form-version.ts';
import { PostForm } from '#server/admin/forms/Form.tsx';
import { ADMIN, productPath } from '#server/admin/paths.ts';
import { Badge, Button, Notice, Table, Time } from '#server/admin/views/pieces.tsx';
import type { Differences, PublishingStatus } from '#server/process/publishing.ts';
import { storePartName } from '#server/store/fields.ts';
import { explainFailure } from './explain-failure.ts';
import { hasNoDifferences } from './watcher-client.ts';

export const PUBLISH = `${ADMIN}/publish`;

export const CONFIRM_SHRINK = 'confirm-shrink';

/** Further lines are only counted, so that the page stays small. */
const MAX_LINES = 15;

function textName(name: string): string {
  const slug = name.replace(/^policies\//, '');
  return isPolicySlug(slug) ? POLICIES[slug] : (storePartName(name) ?? name);
}

const bounded = <Item,>(
  items: readonly Item[],
  render: (item: Item) => ReactNode,
  max = MAX_LINES,
): ReactNode => {
  const rest = items.length - max;
  return (
    <ul>
      {items.slice(0, max).map((item) => (
        <li key={JSON.stringify(item)}>{render(item)}</li>
      ))}
      {rest > 0 && <li>and {rest.toLocaleString('en-IN')} more</li>}
    </ul>
  );
};

const link = (id: string, name: string): ReactNode => <a href={productPath(id)}>{name}</a>;

const part = <Item,>(title: string, items: readonly Item[], render: (item: Item) => ReactNode): ReactNode =>
  items.length > 0 && (
    <>
      <h3>{title}</h3>
      {bounded(items, render)}
    </>
  );

export function renderDifferences(differences: Differences): ReactNode {
  if (hasNoDifferences(differences))
    return <p>The shop shows everything that was saved. There is nothing to publish.</p>;
  const { added, removed, repriced, edited, texts, isReordered } = differences;
  const name = (product: Differences['added'][number]) => link(product.id, product.name);
  return (
    <>
      {part('Other prices', repriced, (product) => (
        <>
          {name(product)}: {formatRupees(product.from)} → <strong>{formatRupees(product.to)}</strong>
        </>
      ))}
      {part('New', added, name)}
      {part('No longer sold', removed, name)}
      {part('Other texts or pictures', edited, name)}
      {part('Store and policies', texts, textName)}
      {isReordered && <p>Products are in another order.</p>}
    </>
  );
}

const PHASES = {
  building: 'Building the pages',
  checking: 'Checking the pages',
  compressing: 'Compressing the files',
};

/** More than for other changes, because the removal must be confirmed. */
const MAX_REMOVED = 200;

export const removedParts = ({ removed }: Differences): Parts => ({
  removed: removed.map(({ id }) => id).join('\n'),
});

/** The removed products, and the button that publishes anyway after the refusal. */
export function renderShrinkConfirmation(differences: Differences): ReactNode {
  const { removed } = differences;
  if (removed.length === 0) return '';
  const count =
    removed.length === 1
      ? 'One product would be removed'
      : `${removed.length.toLocaleString('en-IN')} products would be removed`;
  return (
    <Notice id="removed" title={count}>
      {bounded(removed, ({ id, name }) => link(id, name), MAX_REMOVED)}
      <PostForm
        action={PUBLISH}
        hidden={{ [CONFIRM_SHRINK]: 'yes', ...formVersion(removedParts(differences)) }}
      >
        <Button variant="danger">Publish anyway</Button>
      </PostForm>
    </Notice>
  );
}

/** The phase of the running publication; undefined without one. */
export function progressText({ state, phase }: PublishingStatus): string | undefined {
  if (state !== 'building') return undefined;
  return `${phase === undefined ? 'Publishing' : PHASES[phase]} …`;
}

export function renderFailure(failure: string): ReactNode {
  const reasons = explainFailure(failure).map(({ what, advice }) => (
    <p key={what}>
      <strong>{what}</strong> {advice}
    </p>
  ));
  return (
    <Notice id="failed" title="The last publication failed">
      <p>Shoppers still see the shop as it was before.</p>
      {reasons}
      <details>
        <summary>The message in full</summary>
        <p className="whitespace-pre-wrap">{failure}</p>
      </details>
    </Notice>
  );
}

/** The last line of a summary is about files, which editors need not know. */
const isForEditors = (line: string): boolean => !/^[\d,]+ pages? written/.test(line);

/** In lines. A longer summary is collapsed. */
const SHORT_SUMMARY = 4;

function renderSummary(summary: readonly string[]): ReactNode {
  const lines = summary.filter(isForEditors);
  if (lines.length === 0) return 'Other pages, no product.';
  const rest = lines.length - MAX_LINES;
  const text = [...lines.slice(0, MAX_LINES), ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n');
  if (lines.length <= SHORT_SUMMARY) return <span className="whitespace-pre-wrap">{text}</span>;
  const heads = lines.filter((line) => !line.startsWith(' ')).map((line) => line.replace(/:$/, ''));
  return (
    <details>
      <summary>{heads.join(', ')}</summary>
      <span className="whitespace-pre-wrap">{text}</span>
    </details>
  );
}

export function renderReleases({ releases, live }: PublishingStatus): ReactNode {
  if (releases.length === 0) return <p>Nothing has been published yet.</p>;
  const rows = releases.map(({ id, at, summary }) => {
    const badge = id === live && <Badge tone="green">Live</Badge>;
    const number = id.replace(/-.*/, '').replace(/^0+/, '');
    return [
      <div>
        <Time at={Date.parse(at)} /> {badge}
      </div>,
      number,
      renderSummary(summary),
    ];
  });
  return <Table caption="Newest first" heads={['When', 'Number', 'What changed']} rows={rows} />;
}

/** Returns '' without a release to go back to. */
export function renderRollBack({ live, releases }: PublishingStatus): ReactNode {
  if (live === undefined || releases.length < 2) return '';
  return (
    <>
      <h2>Go back</h2>
      <p>
        Shoppers see the shop as it was before the last publication, within seconds. What you have saved stays
        saved: correct it, or the next publication shows it again.
      </p>
      <details>
        <summary>Go back one publication</summary>
        <PostForm action={`${PUBLISH}/back`} hidden={{ live }}>
          <Button variant="danger">Yes, go back</Button>
        </PostForm>
      </details>
    </>
  );
}
