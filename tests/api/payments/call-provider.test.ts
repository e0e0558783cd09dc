import { Hono } from 'hono';
import { expect, it, onTestFinished } from 'vitest';
import { callProvider, deadline } from '#scripts/api/payments/providers/call-provider.ts';
import { listen } from '#tests/support/providers/fake-provider.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('sends a provider at most eight requests at once, however many payments ask', async () => {
  let now = 0;
  let most = 0;
  const app = new Hono().get('/', async (context) => {
    now += 1;
    most = Math.max(most, now);
    // Long enough for a ninth to arrive, if it were sent.
    for (let turns = 0; turns < 2_000; turns += 1) await turn();
    now -= 1;
    return context.json({});
  });
  const { url, close } = await listen(app);
  onTestFinished(close);
  const call = () =>
    callProvider({ provider: 'Flooded', url, method: 'GET', headers: {}, signal: deadline() });
  const answers = await Promise.all(Array.from({ length: 40 }, call));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(most).toBe(8);
});
