import type { Published, PublishOptions } from '#scripts/publish/publish.ts';
import { summaryOf } from '#scripts/publish/release/changes.ts';
import { readManifest } from '#scripts/publish/release/manifest.ts';
import { lastPublished, readHistory } from '#scripts/publish/release/releases.ts';
import { isPending, rollBack, runAgain } from '#scripts/publish/release/switch.ts';
import { messageOf } from '#server/process/explained-error.ts';
import { currentRelease, type PublishingStatus } from '#server/process/publishing.ts';
import type { Environment } from '#server/settings/parse.ts';
import { apiBaseOf } from '#server/settings/settings.ts';
import { differencesTo, plannedPrices, sourceVersion } from './catalogue.ts';
import { type HookOptions, startHookServer } from './hook-server.ts';
import { publishLoop } from './publish-loop.ts';

interface WatchOptions extends Pick<HookOptions, 'token' | 'host' | 'port'> {
  readonly root: string;
  /** Seconds between two checks of the catalogue. 0: publishes on request, and planned prices. */
  readonly interval: number;
  readonly env: Environment;
  readonly log: (text: string) => void;
  readonly publish: (
    options: Pick<PublishOptions, 'signal' | 'onSwitch' | 'onPhase' | 'allowShrink'>,
  ) => Promise<Published>;
}

/** Seconds between two checks for planned prices, if the catalogue is not checked. */
const PLANNED_INTERVAL = 30;

/** Publishes when the hook is called, a planned price begins or ends, or (with an interval) the catalogue changes. */
export async function startWatcher(options: WatchOptions) {
  const { root, env, log, interval } = options;
  const apiBase = apiBaseOf(env);
  const stopping = new AbortController();
  let phase: PublishingStatus['phase'];

  async function publish(allowShrink: boolean, onSwitch: () => void): Promise<void> {
    log('publishing');
    try {
      const { id } = await options.publish({
        allowShrink,
        signal: stopping.signal,
        onPhase: (now) => {
          phase = now;
        },
        onSwitch: (changes) => {
          onSwitch();
          for (const line of summaryOf(changes)) log(line);
        },
      });
      log(id === undefined ? 'nothing has changed' : `release ${id} is live`);
    } finally {
      phase = undefined;
    }
  }

  // Compares with the newest release, not with the live one. So a catalogue that an operator rolled back is not
  // published again until it changes.
  const published = await readManifest(root, lastPublished(root));
  const pricesSince = published?.pricesSince ?? '';
  const version = interval > 0 ? sourceVersion(apiBase) : plannedPrices(apiBase, pricesSince);
  let lastVersion = interval > 0 ? published?.sourceVersion : pricesSince;
  let checkedAt: string | undefined;
  let checkFailure: string | undefined;

  async function hasChanged(): Promise<boolean> {
    try {
      const now = await version();
      checkedAt = new Date().toISOString();
      checkFailure = undefined;
      const isNew = now !== lastVersion;
      if (isNew) log('the catalogue has changed');
      lastVersion = now;
      return isNew;
    } catch (error) {
      checkFailure = messageOf(error);
      return false;
    }
  }

  const hook = await startHookServer({
    ...options,
    trigger(allowShrink) {
      log('requested by the hook');
      loop.request(allowShrink);
    },
    rollBack: async (expected) => {
      const { from, to } = await rollBack(root, { from: expected, env });
      log(`requested by the hook: back from ${from} to ${to}`);
      return { from, to };
    },
    differences: async () => {
      const live = await readManifest(root, currentRelease(root));
      return live && differencesTo(live, apiBase);
    },
    status: async () => ({
      ...loop.state(),
      phase,
      live: currentRelease(root),
      checkedAt,
      checkFailure,
      releases: await readHistory(root),
    }),
  });

  const loop = publishLoop({
    hasChanged,
    publish,
    runCommandAgain: async () => {
      if (await runAgain(root, env)) log('the command after the switch was run again, and succeeded');
    },
    onFailure: log,
    isCommandDue: isPending(root),
    interval: (interval || PLANNED_INTERVAL) * 1_000,
  });
  return {
    /** Where the hook listens. */
    port: hook.port,
    close: async () => {
      loop.stop();
      stopping.abort();
      hook.close();
    },
  };
}
