import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.ts';
import { assertWhole } from './support/whole-release.ts';

const TINY = fileURLToPath(new URL('./support/publish-tiny.ts', import.meta.url));

const KILLS = 10;

/** Ends a process and all its children at once, as a power cut would. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process ended by itself at the same moment.
  }
}

test('[fault 81] publications killed at random moments leave one whole release live', async () => {
  const root = temporaryFolder();
  const start = (price: number): ChildProcess =>
    spawn(process.execPath, [TINY, root, String(price)], { detached: true, stdio: 'ignore' });
  const began = performance.now();
  await once(start(1), 'close');
  let duration = performance.now() - began;
  await assertWhole(root);
  for (let [price, killed] = [2, 0]; killed < KILLS; price += 1) {
    const started = performance.now();
    const child = start(price);
    const ended = once(child, 'close');
    const first = await Promise.race([ended, wait(Math.random() * duration * 1.1)]);
    if (first === undefined) killGroup(child);
    await ended;
    if (child.signalCode === 'SIGKILL') killed += 1;
    // The machine may have been busier before, so the shortest duration counts.
    else duration = Math.min(duration, performance.now() - started);
    expect([0, null]).toContain(child.exitCode);
    await assertWhole(root);
  }
});
