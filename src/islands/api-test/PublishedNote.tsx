import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { formatMoment } from '#domain/date.ts';
import type { Moved } from '#domain/freshness.ts';
import { $published, comparePublished, type Published } from '#stores/published.ts';

const WORDS: Readonly<Record<keyof Moved, string>> = {
  repriced: 'at another price',
  changed: 'with other words',
  added: 'new',
  removed: 'gone',
};

const isKind = (kind: string): kind is keyof Moved => kind in WORDS;

function changesOf(moved: Moved): string {
  const told = Object.keys(WORDS).filter(isKind);
  const changes = told.filter((kind) => moved[kind] > 0).map((kind) => `${moved[kind]} ${WORDS[kind]}`);
  return changes.length > 0 ? `: ${changes.join(', ')}` : ', all as published';
}

function difference({ liveProducts, moved }: Published): string {
  if (liveProducts === undefined) return '';
  return ` The API has ${liveProducts.toLocaleString('en-IN')} now${moved ? changesOf(moved) : ''}.`;
}

/** How far the live API has moved on since the site was published. */
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
