import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { formatMoment } from '#domain/date.ts';
import { $published, comparePublished, type Published } from '#stores/published.ts';

function difference({ products, liveProducts }: Published): string {
  if (liveProducts === undefined) return '';
  if (liveProducts === products) return ' The API has as many now.';
  return ` The API has ${liveProducts.toLocaleString('en-IN')} now.`;
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
