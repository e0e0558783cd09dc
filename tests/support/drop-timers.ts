import { afterAll } from 'vitest';

/*
 * A store stops watching a second after its last listener has gone. Where a file's tests were over before, and the
 * machine is slow to end its process, that would be done in a window that is no more.
 */
const timers = new Set<NodeJS.Timeout>();

globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply: (set, self, args) => {
    const timer: NodeJS.Timeout = Reflect.apply(set, self, args);
    timers.add(timer);
    return timer;
  },
});

afterAll(() => {
  for (const timer of timers) clearTimeout(timer);
});
