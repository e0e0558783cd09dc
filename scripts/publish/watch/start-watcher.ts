import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { apiBaseOf } from '#scripts/program/api-base.ts';
import type { PublishingStatus } from '#scripts/program/publishing.ts';
import type { Published, PublishOptions } from '#scripts/publish/publish.ts';
import { summaryOf } from '#scripts/publish/release/changes.ts';
import { readCatalogueReport, readManifest } from '#scripts/publish/release/manifest.ts';
import {
  CURRENT,
  currentRelease,
  lastPublished,
  readHistory,
  SITE,
} from '#scripts/publish/release/releases.ts';
import { plannedPrices, sourceWatch, watcher } from '#scripts/publish/release/source-version.ts';
import { isPending, rollBack, runAgain } from '#scripts/publish/release/switch.ts';
import { differencesTo } from './differences.ts';
import { startHookServer } from './hook-server.ts';
import { type Asked, rebuildQueue, watchWork } from './rebuild-queue.ts';

const COMMAND_RUN_AGAIN = 'the command after the switch was run again, and succeeded';

export interface WatchOptions {
  /** The folder of the releases. */
  readonly root: string;
  /** If undefined, the hook is off. */
  readonly token: string | undefined;
  readonly host: string;
  readonly port: number;
  /** Seconds between two looks at the catalogue. 0: it publishes what the hook asks for, and planned prices. */
  readonly interval: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (text: string) => void;
  readonly publish: (
    options: Pick<PublishOptions, 'signal' | 'onSwitch' | 'onProgress' | 'allowShrink'>,
  ) => Promise<Published>;
}

export interface RunningWatcher {
  /** Where the hook listens. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Seconds between two looks for planned prices, where the catalogue is not looked at. */
const PLANNED_INTERVAL = 30;

/**
 * Publishes when the hook is called, when a planned price begins or ends and, unless `interval` is 0, when anything else of
 * the catalogue has changed.
 */
export async function startWatcher(options: WatchOptions): Promise<RunningWatcher> {
  const { root, env, log, interval } = options;
  const stopping = new AbortController();
  let progress: PublishingStatus['progress'];

  async function build(onSwitch: () => void, { allowShrink }: Asked): Promise<void> {
    log('publishing');
    progress = { phase: 'building', done: 0, total: 0 };
    try {
      const { id, ranAgain } = await options.publish({
        allowShrink,
        signal: stopping.signal,
        onProgress: (now) => {
          progress = now;
        },
        onSwitch: (changes) => {
          onSwitch();
          for (const line of summaryOf(changes)) log(line);
        },
      });
      log(id === undefined ? 'nothing has changed' : `release ${id} is live`);
      if (ranAgain) log(COMMAND_RUN_AGAIN);
    } finally {
      progress = undefined;
    }
  }

  async function runCommandAgain(): Promise<void> {
    if (await runAgain(root, env)) log(COMMAND_RUN_AGAIN);
  }

  // We compare with the newest release, not with the live one: a catalogue that an operator rolled back is not
  // published again until it changes.
  const newest = await lastPublished(root);
  const published = newest === undefined ? undefined : await readManifest(join(root, newest));
  const pricesSince = published?.pricesSince ?? '';
  const catalogue =
    interval > 0
      ? watcher(sourceWatch(apiBaseOf(env)), published?.sourceVersion)
      : watcher(plannedPrices(apiBaseOf(env), pricesSince), pricesSince);
  const work = watchWork(build, runCommandAgain);
  const queue = rebuildQueue(work.run, log);
  const ask = (why: string, allowShrink = false): void => {
    log(why);
    work.ask({ allowShrink });
    queue.trigger();
  };
  const hook = await startHookServer({
    token: options.token,
    host: options.host,
    port: options.port,
    trigger: (allowShrink) => ask('asked for by the hook', allowShrink),
    rollBack: async (seen) => {
      const { from, to } = await rollBack(root, { from: seen, env });
      log(`asked for by the hook: back from ${from} to ${to}`);
      return { from, to };
    },
    differences: async () =>
      currentRelease(root) === undefined
        ? undefined
        : differencesTo(await readCatalogueReport(join(root, CURRENT, SITE)), apiBaseOf(env)),
    status: async () => ({
      ...queue.state(),
      progress,
      live: currentRelease(root),
      checkedAt: catalogue.checkedAt(),
      checkFailure: catalogue.failure(),
      releases: await readHistory(root),
    }),
  });

  // The last publication ended before PUBLISH_AFTER had succeeded, so it is run again.
  if (isPending(root)) queue.trigger();
  void (async () => {
    while (!stopping.signal.aborted) {
      if (await catalogue.look()) ask('the catalogue has changed');
      await wait((interval || PLANNED_INTERVAL) * 1000, undefined, { signal: stopping.signal }).catch(
        () => {},
      );
    }
  })();
  return {
    port: hook.port,
    async close() {
      queue.stop();
      stopping.abort();
      hook.close();
    },
  };
}
