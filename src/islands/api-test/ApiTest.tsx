import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CatalogueDiff } from '#domain/catalogue-diff.ts';
import { formatMoment } from '#domain/date.ts';
import { Button } from '#islands/ui/Button.tsx';
import { Island } from '#islands/ui/Island.tsx';
import { ALERT, CIRCLE_CHECK, Icon } from '#islands/ui/icons.tsx';
import {
  $apiTest,
  $published,
  type ApiTest as ApiTestPage,
  comparePublished,
  IDLE_TEST,
  type Published,
  runApiTest,
} from '#stores/api-test/api-test.ts';

const OUTCOME = 'flex items-center gap-2 font-semibold';

function Outcome({ test }: { readonly test: ApiTestPage }) {
  if (test.status === 'failed') {
    return (
      <p className={`${OUTCOME} text-error`}>
        <Icon path={ALERT} size={22} /> <span>{test.text}</span>
      </p>
    );
  }
  if (test.status !== 'answered') return null;
  const { status, milliseconds } = test.answer;
  return (
    <p className={OUTCOME}>
      <Icon path={CIRCLE_CHECK} size={22} />{' '}
      <span>{`Connected: status ${status} after ${milliseconds} ms`}</span>
    </p>
  );
}

const HEADING = 'font-body text-title leading-[1.3] tracking-normal';

const Answer = ({ answer, data }: Extract<ApiTestPage, { status: 'answered' }>) => (
  <>
    <h2 className={HEADING}>Headers</h2>
    <dl className="w-full overflow-hidden rounded-panel border border-line">
      {answer.headers.map(([name, value]) => (
        <div className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-2.5 odd:bg-mist" key={name}>
          <dt className="w-45 font-semibold">{name}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
    <h2 className={HEADING}>Data</h2>
    <pre
      className="max-h-120 w-full overflow-auto whitespace-pre-wrap rounded-panel border border-line bg-mist p-4 font-[ui-monospace,monospace] text-caption leading-[1.5] [overflow-wrap:anywhere]"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
      tabIndex={0}
    >
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
  useEffect(() => void comparePublished().catch(() => {}), []);
  return (
    <p className="min-h-[1.6em] text-ink2">
      {published &&
        `Published ${formatMoment(published.publishedAt)} with ${published.products.toLocaleString('en-IN')} products.${difference(published)}`}
    </p>
  );
}

export function ApiTest() {
  const test = useStore($apiTest, { ssr: () => IDLE_TEST });
  useEffect(() => void runApiTest(), []);
  return (
    <Island className="grid justify-items-start gap-4 *:min-w-0 *:max-w-full">
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
