import { messageOf, RefusedRelease } from '#scripts/program/explained-error.ts';
import type { PublishingStatus } from '#scripts/program/publishing.ts';

export interface Asked {
  /** Whether whoever asks has seen which products go, and wants them to go. */
  readonly allowShrink: boolean;
}

export interface Work {
  /** Asks for a publication. */
  readonly ask: (asked?: Asked) => void;
  /** Publishes if that was asked for. If not, it only runs PUBLISH_AFTER, unless that has already succeeded. */
  readonly run: () => Promise<void>;
}

/** A failure after the switch does not ask for a new build, because that could undo a roll back made meanwhile. */
export function watchWork(
  publish: (onSwitch: () => void, asked: Asked) => Promise<void>,
  runCommandAgain: () => Promise<void>,
): Work {
  let waiting: Asked | undefined;
  const ask = ({ allowShrink }: Asked = { allowShrink: false }): void => {
    waiting = { allowShrink: allowShrink || waiting?.allowShrink === true };
  };
  return {
    ask,
    async run() {
      const asked = waiting;
      if (!asked) return runCommandAgain();
      waiting = undefined;
      let switched = false;
      try {
        await publish(() => {
          switched = true;
        }, asked);
      } catch (error) {
        if (!switched && !(error instanceof RefusedRelease)) ask(asked);
        throw error;
      }
    },
  };
}

type QueueState = Pick<PublishingStatus, 'state' | 'pending' | 'failure' | 'retryAt' | 'builds'>;

export interface RebuildQueue {
  /** Asks for a build that begins after this moment. */
  readonly trigger: () => void;
  readonly state: () => QueueState;
  /** Lets no further build begin. */
  readonly stop: () => void;
}

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 5 * 60_000;

/**
 * Runs one build at a time. All triggers during a build become one more build, so that the last change is always
 * published. A failed build is tried again after 5, 10, 20 … s, and at most 5 min; a refused one when it is
 * asked for anew, because it would be refused again.
 */
export function rebuildQueue(
  build: () => Promise<unknown>,
  onFailure: (message: string) => void = () => {},
): RebuildQueue {
  let running = false;
  let pending = false;
  let stopped = false;
  let failures = 0;
  let builds = 0;
  let failure: string | undefined;
  let isRefused = false;
  let retry: { timer: NodeJS.Timeout; at: number } | undefined;

  const cancelRetry = (): void => {
    clearTimeout(retry?.timer);
    retry = undefined;
  };

  function waitAndRetry(): void {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
    retry = { at: Date.now() + wait, timer: setTimeout(() => void run(), wait) };
  }

  async function run(): Promise<void> {
    cancelRetry();
    running = true;
    pending = false;
    builds += 1;
    try {
      await build();
      failures = 0;
      failure = undefined;
    } catch (error) {
      isRefused = error instanceof RefusedRelease;
      failures = isRefused ? 0 : failures + 1;
      failure = messageOf(error);
      onFailure(failure);
    }
    running = false;
    if (stopped) return;
    if (pending) void run();
    else if (failure !== undefined && !isRefused) waitAndRetry();
  }

  return {
    trigger() {
      if (stopped) return;
      if (running) pending = true;
      else void run();
    },
    state: () => ({
      state: running ? 'building' : retry ? 'waiting to try again' : 'idle',
      pending,
      failure,
      retryAt: retry?.at,
      builds,
    }),
    stop() {
      stopped = true;
      cancelRetry();
    },
  };
}
