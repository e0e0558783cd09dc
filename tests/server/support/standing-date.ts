import { onTestFinished, vi } from 'vitest';
import { testApi } from './api.ts';

type Given = NonNullable<Parameters<typeof testApi>[0]>;

/** The library that counts for the rate limits reads `Date`. Lets it stand still until `pass` or the test's end. */
export function standStill() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-05T10:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (milliseconds: number) => void vi.setSystemTime(Date.now() + milliseconds) };
}

/** An API of which the rate limits, too, follow the test's clock. */
export async function limitedApi(given: Given = {}) {
  const { pass } = standStill();
  return { ...(await testApi({ clock: () => Date.now(), ...given })), pass };
}
