import { afterAll } from 'vitest';

/*
 * A store unmounts a second after its last listener has gone. If the tests of a file end sooner, and the machine is
 * slow to end their process, the timer would run after jsdom's window was closed.
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

/* In unit tests the API has no capabilities beyond section 7. A test that needs a capability stubs the global. */
Object.assign(globalThis, { __CAPABILITIES__: {} });
