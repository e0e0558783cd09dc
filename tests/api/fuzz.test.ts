import { expect, it } from 'vitest';
import { fuzzRequests } from '#tests/fuzz/fuzz-requests.ts';

// A taste of `npm run maintain -- fuzz`.
it('[fault 73, 80, 93] whatever it is asked, the API answers, tells nothing of itself, and stores nothing it refused', async () => {
  const { refused } = await fuzzRequests({ seed: 7, cases: 400 });
  expect(refused).toBeGreaterThan(100);
});
