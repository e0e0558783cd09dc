import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listReleases } from '#scripts/publish/release/releases.ts';
import { assertWhole } from './whole-release.ts';

export interface KillReport {
  killed: number;
  ended: number;
  releases: number;
}

/** Ends a process and all its children at once, as a power cut would. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process ended by itself at the same moment.
  }
}

const TINY = fileURLToPath(new URL('../loops/publish-tiny.ts', import.meta.url));

export const startTiny = (root: string, price: number): ChildProcess =>
  spawn(process.execPath, [TINY, root, String(price)], { detached: true, stdio: 'ignore' });

/**
 * Starts publications and kills each at a random moment of its run, until `kills` of them were killed before their end.
 * Throws if the live release is not whole after any of them, or if one that was not killed failed.
 */
export async function killLoop(
  root: string,
  kills: number,
  start: (round: number) => ChildProcess,
  onRound: (report: KillReport) => void = () => {},
): Promise<KillReport> {
  // The first publication also compiles the shop, so the second one tells how long the others take.
  await once(start(0), 'close');
  const began = performance.now();
  await once(start(1), 'close');
  let duration = performance.now() - began;
  await assertWhole(root);
  const report: KillReport = { killed: 0, ended: 0, releases: 0 };
  for (let round = 2; report.killed < kills; round += 1) {
    const started = performance.now();
    const child = start(round);
    const ended = once(child, 'close');
    const first = await Promise.race([ended, wait(Math.random() * duration * 1.1)]);
    if (first === undefined) killGroup(child);
    await ended;
    if (child.signalCode === 'SIGKILL') report.killed += 1;
    else if (child.exitCode === 0) {
      report.ended += 1;
      // The machine may have been busier before, so the shortest duration counts.
      duration = Math.min(duration, performance.now() - started);
    } else throw new Error(`A publication that was not killed ended with ${child.exitCode}.`);
    await assertWhole(root);
    report.releases = Number(listReleases(root).at(-1)?.slice(0, 6));
    onRound(report);
  }
  return report;
}
