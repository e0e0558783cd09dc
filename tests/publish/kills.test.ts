import { expect, test } from 'vitest';
import { killLoop, startTiny } from './support/kill-loop.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

test('[fault 81] publications killed at random moments leave one whole release live', async () => {
  const root = temporaryFolder();
  const { killed } = await killLoop(root, 10, (round) => startTiny(root, round + 1));
  expect(killed).toBe(10);
});
