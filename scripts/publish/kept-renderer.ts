import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLIENT, descriptionFile } from '#scripts/prerender/kept.ts';
import { type AstroOptions, compileShop } from './astro-build.ts';
import { codeHash } from './code-hash.ts';
import { waitForLock } from './lock.ts';
import { deleteLater } from './staging.ts';

const FOLDER = fileURLToPath(new URL('../../.cache/kept', import.meta.url));
const LOCK = 'lock';
const BUILDING = '.building';
/** For shops that are built in turn with other settings, such as one's own and the tests'. */
const KEPT = 3;

const waiting = (): void => console.log('Another build is running here. Waiting for it to end.');

/** Forgets compilations that were not used for the longest time, and what killed builds left. */
function prune(): void {
  const names = readdirSync(FOLDER).filter((name) => name !== LOCK && !name.startsWith(`${LOCK}-`));
  const whole = names.filter((name) => !name.endsWith(BUILDING) && !name.endsWith('.old'));
  const used = (name: string): number => statSync(join(FOLDER, name)).mtimeMs;
  const old = whole.sort((a, b) => used(b) - used(a)).slice(KEPT);
  const doomed = [...names.filter((name) => !whole.includes(name)), ...old];
  deleteLater(
    doomed.map((name) => {
      const path = join(FOLDER, name);
      if (name.endsWith('.old')) return path;
      renameSync(path, `${path}.old`);
      return `${path}.old`;
    }),
  );
}

export interface KeptRenderer {
  readonly folder: string;
  /** Lets the next build begin, and forgets what was not used for long. */
  readonly release: () => void;
}

/**
 * The compiled shop for this code and these settings, compiled now where it is not there, for one build at a time.
 * @param fresh compiles it in any case
 */
export async function keptRenderer(options: AstroOptions, fresh: boolean): Promise<KeptRenderer> {
  mkdirSync(FOLDER, { recursive: true });
  const lock = await waitForLock(join(FOLDER, LOCK), waiting, options.signal);
  try {
    const folder = join(FOLDER, codeHash(options.env ?? process.env));
    if (fresh || !existsSync(descriptionFile(folder))) {
      const building = `${folder}${BUILDING}`;
      rmSync(building, { recursive: true, force: true });
      mkdirSync(join(building, CLIENT), { recursive: true });
      await compileShop(building, join(building, CLIENT), options);
      if (existsSync(folder)) renameSync(folder, `${folder}.old`);
      renameSync(building, folder);
    }
    const now = new Date();
    utimesSync(folder, now, now);
    return {
      folder,
      release() {
        // Not before: where thousands of files have just gone, ext4 takes ten times as long to make a new one.
        prune();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
