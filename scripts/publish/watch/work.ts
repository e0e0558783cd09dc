export interface Work {
  /** Asks for a publication. */
  readonly ask: () => void;
  /** Publishes if that was asked for. If not, it only runs PUBLISH_AFTER, unless that has already succeeded. */
  readonly run: () => Promise<void>;
}

/** A failure after the switch does not ask for a new build, because that could undo a roll back made meanwhile. */
export function watchWork(
  publish: (onSwitch: () => void) => Promise<void>,
  announceAgain: () => Promise<void>,
): Work {
  let isAskedFor = false;
  return {
    ask() {
      isAskedFor = true;
    },
    async run() {
      if (!isAskedFor) return announceAgain();
      isAskedFor = false;
      let switched = false;
      try {
        await publish(() => {
          switched = true;
        });
      } catch (error) {
        isAskedFor ||= !switched;
        throw error;
      }
    },
  };
}
