import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { Button } from '#islands/ui/Button.tsx';
import { Island } from '#islands/ui/Island.tsx';
import { AlertIcon, CircleCheckIcon } from '#islands/ui/icons.tsx';
import { $apiTest, type ApiTest as ApiTestPage, IDLE_TEST, runApiTest } from '#stores/api-test/api-test.ts';
import { PublishedNote } from './PublishedNote.tsx';

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
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <pre className="api-test-data" tabIndex={0}>
      {data}
    </pre>
  </>
);

/** Calls the store-info endpoint and shows the response. */
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
