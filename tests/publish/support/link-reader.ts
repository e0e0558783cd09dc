import { readlinkSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** The data of a worker that runs this file. The arrays are shared and hold one number each. */
export interface LinkReading {
  readonly link: string;
  /** How often the worker has seen the link change. */
  readonly changes: Int32Array;
  /** 1 tells the worker to stop. */
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
  const target = read();
  if (target !== last) Atomics.add(changes, 0, 1);
  last = target;
  seen.add(target);
}
parentPort?.postMessage([...seen].sort());
