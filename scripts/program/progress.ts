const LINE_EVERY_MS = 10_000;

const DRAW_EVERY_MS = 100;

const WIDTH = 28;

const bar = (done: number, total: number): string => {
  const filled = Math.min(WIDTH, Math.round((done / Math.max(total, 1)) * WIDTH));
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] `;
};

export interface Progress {
  /** A `total` of 0 means that it is not known. */
  readonly update: (done: number, total?: number) => void;
  /** Ends the line on a terminal. */
  readonly done: () => void;
}

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** Shows progress: a bar on a terminal, a line every ten seconds in a log. */
export function progress(
  label: string,
  unit: string,
  output: Output = process.stdout,
  clock: () => number = () => performance.now(),
): Progress {
  const interval = output.isTTY ? DRAW_EVERY_MS : LINE_EVERY_MS;
  let last = clock();
  let drawn = false;
  const text = (done: number, total: number): string => {
    const count = done.toLocaleString('en-IN');
    return `${label} ${total > 0 && output.isTTY ? bar(done, total) : ''}${count}${total > 0 ? ` of ${total.toLocaleString('en-IN')}` : ''} ${unit}`;
  };
  return {
    update(done, total = 0) {
      const now = clock();
      if (now - last < interval) return;
      last = now;
      drawn = true;
      output.write(output.isTTY ? `\r${text(done, total)}\x1b[K` : `${text(done, total)}\n`);
    },
    done() {
      if (drawn && output.isTTY) output.write('\r\x1b[K');
    },
  };
}
