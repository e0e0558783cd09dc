import { RefusedRelease } from '#scripts/program/explained-error.ts';

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
