import { onTestFinished, vi } from 'vitest';
import { testApi } from './api.ts';

type Given = NonNullable<Parameters<typeof testApi>[0]>;

/** Rate limits read `Date`. Freezes it until `pass` or the end of the test. */
export function standStill() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-05T10:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds) };
}

/** An API whose rate limits also follow the test's clock. */
export async function limitedApi(given: Given = {}) {
  const { pass } = standStill();
  return { ...(await testApi({ clock: () => Date.now(), ...given })), pass };
}
