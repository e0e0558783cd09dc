import { messageOf, RefusedRelease } from '#scripts/program/explained-error.ts';
import type { PublishingStatus } from '#scripts/program/publishing.ts';

interface Work {
  /** Publishes. `allowShrink`: an editor has seen which products go, and wants them to go. */
  readonly publish: (allowShrink: boolean, onSwitch: () => void) => Promise<void>;
  /** Runs PUBLISH_AFTER, unless it has already succeeded. */
  readonly runCommandAgain: () => Promise<void>;
  readonly onFailure: (message: string) => void;
}

export interface RebuildQueue {
  /** Requests a publication that begins after this moment. */
  readonly ask: (allowShrink?: boolean) => void;
  /** Requests PUBLISH_AFTER alone. */
  readonly askForCommand: () => void;
  readonly state: () => Pick<PublishingStatus, 'state' | 'pending' | 'failure' | 'retryAt'>;
  /** Lets nothing further begin. */
  readonly stop: () => void;
}

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 5 * 60_000;

/**
 * Publishes one release at a time. All requests during a build become one more build, so that the last change is always
 * published. A failed build is tried again after 5, 10, 20 … s, and at most 5 min. After a failure behind the switch only
 * the command is run again, because a new build could undo a roll back made meanwhile. A refused release waits until
 * the next request, because it would be refused again.
 */
export function rebuildQueue({ publish, runCommandAgain, onFailure }: Work): RebuildQueue {
  let running = false;
  let pending = false;
  let stopped = false;
  let failures = 0;
  let failure: string | undefined;
  let retry: { timer: NodeJS.Timeout; at: number } | undefined;
  /** The publication that was requested and has not begun. */
  let requested: { readonly allowShrink: boolean } | undefined;

  const request = (allowShrink: boolean): void => {
    requested = { allowShrink: allowShrink || requested?.allowShrink === true };
  };

  async function work(): Promise<void> {
    if (!requested) return runCommandAgain();
    const { allowShrink } = requested;
    requested = undefined;
    let switched = false;
    try {
      await publish(allowShrink, () => {
        switched = true;
      });
    } catch (error) {
      if (!switched && !(error instanceof RefusedRelease)) request(allowShrink);
      throw error;
    }
  }

  function waitAndRetry(): void {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
    failures += 1;
    retry = { at: Date.now() + wait, timer: setTimeout(() => void run(), wait) };
  }

  async function run(): Promise<void> {
    clearTimeout(retry?.timer);
    retry = undefined;
    running = true;
    pending = false;
    let mayRetry = false;
    try {
      await work();
      failures = 0;
      failure = undefined;
    } catch (error) {
      mayRetry = !(error instanceof RefusedRelease);
      if (!mayRetry) failures = 0;
      failure = messageOf(error);
      onFailure(failure);
    }
    running = false;
    if (stopped) return;
    if (pending) void run();
    else if (mayRetry) waitAndRetry();
  }

  function trigger(): void {
    if (stopped) return;
    if (running) pending = true;
    else void run();
  }

  return {
    ask(allowShrink = false) {
      request(allowShrink);
      trigger();
    },
    askForCommand: trigger,
    state: () => ({
      state: running ? 'building' : retry ? 'waiting to try again' : 'idle',
      pending,
      failure,
      retryAt: retry?.at,
    }),
    stop() {
      stopped = true;
      clearTimeout(retry?.timer);
    },
  };
}
