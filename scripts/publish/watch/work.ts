export interface Work {
  /** The catalogue is to be published. */
  readonly ask: () => void;
  /** Publishes where that was asked for; else only runs PUBLISH_AFTER where it has not succeeded. */
  readonly run: () => Promise<void>;
}

/** A failure after the switch asks for no build: it would undo a roll back that someone made meanwhile. */
export function watchWork(
  publish: (onSwitch: () => void) => Promise<void>,
  tellAgain: () => Promise<void>,
): Work {
  let asked = false;
  return {
    ask() {
      asked = true;
    },
    async run() {
      if (!asked) return tellAgain();
      asked = false;
      let switched = false;
      try {
        await publish(() => {
          switched = true;
        });
      } catch (error) {
        asked ||= !switched;
        throw error;
      }
    },
  };
}
