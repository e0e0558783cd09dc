import { expect, it } from 'vitest';
import { fuzzOffice } from '#tests/fuzz/fuzz-office.ts';
import { fuzzRequests } from '#tests/fuzz/fuzz-requests.ts';

// A taste of `npm run maintain -- fuzz`.
it('[fault 73, 80, 93] whatever it is asked, the API answers, tells nothing of itself, and stores nothing it refused', async () => {
  const { refused } = await fuzzRequests({ seed: 7, cases: 400 });
  expect(refused).toBeGreaterThan(100);
});

it('[fault 102, 103] whatever its forms are sent, the office answers, runs nothing, and changes nothing without a line in its log', async () => {
  const { refused, done } = await fuzzOffice({ seed: 7, cases: 150 });
  expect(Math.min(refused, done)).toBeGreaterThan(20);
});
