import { expect, it } from 'vitest';
import { fuzzRequests } from '#tests/fuzz/fuzz-requests.ts';

// A taste of `npm run fuzz`.
it('[fault 73, 80, 93] whatever it is asked, the API answers, tells nothing of itself, and stores nothing it refused', async () => {
  const { refused, findings } = await fuzzRequests(7, 400);
  expect(findings).toEqual([]);
  expect(refused).toBeGreaterThan(100);
});
