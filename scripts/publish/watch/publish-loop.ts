import { messageOf, RefusedRelease } from '#server/process/explained-error.ts';
import type { PublishingStatus } from '#server/process/publishing.ts';

interface Work {
  /** Whether the catalogue has changed since the last call. */
  readonly hasChanged: () => Promise<boolean>;
  /** Publishes. `allowShrink`: an editor has confirmed the loss of many products. */
  readonly publish: (allowShrink: boolean, onSwitch: () => void) => Promise<void>;
  /** Runs PUBLISH_AFTER, unless it has already succeeded. */
  readonly runCommandAgain: () => Promise<void>;
  readonly onFailure: (message: string) => void;
  /** Whether PUBLISH_AFTER has not succeeded for the live release. */
  readonly isCommandDue: boolean;
  /** Between two checks of the catalogue, in ms. */
  readonly interval: number;
}

const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 5 * 60_000;

/**
 * Checks the catalogue and publishes, one after the other. All requests during a build become one more build, so that
 * the last change is always published. A failed build is retried after 5, 10, 20 … s, and at most 5 min. After a
 * failure behind the switch only the command runs again, because a new build could undo a rollback. A refused release
 * waits for the next request, because it would be refused again.
 */
export function publishLoop(work: Work) {
  /** The requested publication that has not started. */
  let requested: { readonly allowShrink: boolean } | undefined;
  let mustRetry = work.isCommandDue;
  let isPublishing = false;
  let isStopped = false;
  let failures = 0;
  let failure: string | undefined;
  let retryAt: number | undefined;
  /** Whether a publication was requested since the last one began. */
  let isAwake = false;
  /** Ends the pause between two checks. */
  let wake = (): void => {};

  const addRequest = (allowShrink: boolean): void => {
    requested = { allowShrink: allowShrink || requested?.allowShrink === true };
  };

  async function publishRequested(): Promise<void> {
    if (!requested) return work.runCommandAgain();
    const { allowShrink } = requested;
    requested = undefined;
    let switched = false;
    try {
      await work.publish(allowShrink, () => {
        switched = true;
      });
    } catch (error) {
      if (!switched && !(error instanceof RefusedRelease)) addRequest(allowShrink);
      throw error;
    }
  }

  async function attempt(): Promise<void> {
    isPublishing = true;
    isAwake = false;
    try {
      await publishRequested();
      [failures, failure, mustRetry] = [0, undefined, false];
    } catch (error) {
      mustRetry = !(error instanceof RefusedRelease);
      failures = mustRetry ? failures + 1 : 0;
      failure = messageOf(error);
      work.onFailure(failure);
    }
    isPublishing = false;
  }

  async function pause(): Promise<void> {
    const retryWait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), MAX_WAIT_MS);
    if (mustRetry) retryAt = Date.now() + retryWait;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, mustRetry ? retryWait : work.interval);
    wake = resolve;
    await promise;
    clearTimeout(timer);
    retryAt = undefined;
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      if (await work.hasChanged()) addRequest(false);
      if (requested || mustRetry) await attempt();
      if (!isAwake && !isStopped) await pause();
    }
  }

  void run();
  return {
    /** Requests a publication that starts after this moment. */
    request(allowShrink = false): void {
      addRequest(allowShrink);
      isAwake = true;
      wake();
    },
    state: (): Pick<PublishingStatus, 'state' | 'pending' | 'failure' | 'retryAt'> => ({
      // A request counts at once, before the check of the catalogue.
      state: retryAt ? 'waiting to try again' : isPublishing || requested ? 'building' : 'idle',
      pending: isPublishing && isAwake,
      failure,
      retryAt,
    }),
    /** Starts nothing more. */
    stop(): void {
      isStopped = true;
      wake();
    },
  };
}
