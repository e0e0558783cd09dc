import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CatalogueDiff } from '#domain/catalogue-diff.ts';
import { formatMoment } from '#domain/date.ts';
import { Button } from '#islands/ui/Button.tsx';
import { Island } from '#islands/ui/Island.tsx';
import { AlertIcon, CircleCheckIcon } from '#islands/ui/icons.tsx';
import {
  $apiTest,
  $published,
  type ApiTest as ApiTestPage,
  comparePublished,
  IDLE_TEST,
  type Published,
  runApiTest,
} from '#stores/api-test/api-test.ts';

function Outcome({ test }: { readonly test: ApiTestPage }) {
  if (test.status === 'failed') {
    return (
      <p className="api-test-outcome api-test-failed">
        <AlertIcon size={22} /> <span>{test.text}</span>
      </p>
    );
  }
  if (test.status !== 'answered') return null;
  const { status, milliseconds } = test.answer;
  return (
    <p className="api-test-outcome">
      <CircleCheckIcon size={22} /> Connected: status {status} after {milliseconds} ms
    </p>
  );
}

const Answer = ({ answer, data }: Extract<ApiTestPage, { status: 'answered' }>) => (
  <>
    <h2>Headers</h2>
    <dl className="api-test-headers">
      {answer.headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    <h2>Data</h2>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
    <pre className="api-test-data" tabIndex={0}>
      {data}
    </pre>
  </>
);

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

function PublishedNote() {
  const published = useStore($published, { ssr: () => undefined });
  useEffect(() => void comparePublished(), []);
  return (
    <p className="api-test-published">
      {published &&
        `Published ${formatMoment(published.publishedAt)} with ${published.products.toLocaleString('en-IN')} products.${difference(published)}`}
    </p>
  );
}

export function ApiTest() {
  const test = useStore($apiTest, { ssr: () => IDLE_TEST });
  useEffect(() => void runApiTest(), []);
  return (
    <Island className="api-test">
      <PublishedNote />
      <Button busy={test.status === 'running'} onClick={() => void runApiTest()}>
        {test.status === 'running' ? 'Testing...' : 'Test again'}
      </Button>
      <div role="status">
        <Outcome test={test} />
      </div>
      {test.status === 'answered' && <Answer {...test} />}
    </Island>
  );
}
