import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CatalogueDiff } from '#domain/catalogue-diff.ts';
import { formatMoment } from '#domain/date.ts';
import { $published, comparePublished, type Published } from '#stores/api-test/published.ts';

const WORDS: readonly (readonly [kind: keyof CatalogueDiff, words: string])[] = [
  ['repriced', 'at another price'],
  ['changed', 'with other words'],
  ['added', 'new'],
  ['removed', 'gone'],
];

function changesOf(diff: CatalogueDiff): string {
  const changes = WORDS.filter(([kind]) => diff[kind] > 0).map(([kind, words]) => `${diff[kind]} ${words}`);
  return changes.length > 0 ? `: ${changes.join(', ')}` : ', all as published';
}

function difference({ liveProducts, diff }: Published): string {
  if (liveProducts === undefined) return '';
  return ` The API has ${liveProducts.toLocaleString('en-IN')} now${diff ? changesOf(diff) : ''}.`;
}

/** Shows what has changed in the live API since the site was published. */
export function PublishedNote() {
  const published = useStore($published, { ssr: () => undefined });
  useEffect(() => void comparePublished(), []);
  return (
    <p className="api-test-published">
      {published &&
        `Published ${formatMoment(published.publishedAt)} with ${published.products.toLocaleString('en-IN')} products.${difference(published)}`}
    </p>
  );
}
