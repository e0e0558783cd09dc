import { readlinkSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** What a worker of this file is given: a link, how often it was seen to change, and whether to stop. */
export interface LinkReading {
  readonly link: string;
  readonly changes: Int32Array;
  readonly stop: Int32Array;
}

const { link, changes, stop }: LinkReading = workerData;

function read(): string {
  try {
    return readlinkSync(link);
  } catch (error) {
    return String(error);
  }
}

const seen = new Set<string>();
let last = '';
while (Atomics.load(stop, 0) === 0) {
  const answer = read();
  if (answer !== last) Atomics.add(changes, 0, 1);
  last = answer;
  seen.add(answer);
}
parentPort?.postMessage([...seen].sort());
