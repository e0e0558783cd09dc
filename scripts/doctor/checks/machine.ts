import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { databaseState, hasWalFault } from '#scripts/api/db/open-database.ts';
import type { Check, Facts } from '#scripts/doctor/check.ts';
import { isReserved } from '#scripts/doctor/demo.ts';
import { currentRelease, liveRelease } from '#scripts/doctor/live-release.ts';
import { settingsFile, unknownInFile } from '#scripts/settings/load.ts';
import { parseSettings } from '#scripts/settings/parse.ts';
import { isPostgres, PUBLISH } from '#scripts/settings/settings.ts';

const GIBIBYTE = 2 ** 30;

const OTHERS_MAY_READ = 0o004;

/** How long an answer of the shop's own address counts, in ms: an address that does not answer takes seconds. */
const ANSWER_COUNTS = 60_000;

const answers = new Map<string, { readonly at: number; readonly live: ReturnType<typeof liveRelease> }>();

function askAddress(origin: string, now: number): ReturnType<typeof liveRelease> {
  const last = answers.get(origin);
  if (last && Math.abs(now - last.at) < ANSWER_COUNTS) return last.live;
  const live = liveRelease(origin);
  answers.set(origin, { at: now, live });
  return live;
}

/** The nearest folder of a path that is there. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

/** The folders in which the shop writes. */
const writtenFolders = ({ env, settings }: Facts): string[] => [
  ...(settings && !isPostgres(settings.database) ? [dirname(resolve(settings.database))] : []),
  resolve(parseSettings(PUBLISH, env).PUBLISH_DIR),
  resolve('.cache'),
];

/** Whether a folder was given to a user of the shop who is not the one that asks. */
const isOfAnother = (folder: string): boolean => ![0, process.getuid?.()].includes(statSync(folder).uid);

/** Makes a folder there and deletes it, because rights alone do not tell of disks that are read-only. */
const mayWrite = (folder: string): boolean => {
  try {
    rmdirSync(mkdtempSync(join(folder, '.doctor-')));
    return true;
  } catch {
    return false;
  }
};

const run = promisify(execFile);

const DATABASE_STATES = {
  none: 'There is no database of a shop at DATABASE.',
  older: 'The database is of an earlier version of the shop. The API brings it up to date when it starts.',
  newer: 'The database is of a later version of the shop than this program.',
  current: undefined,
} as const;

export const MACHINE_CHECKS: readonly Check[] = [
  {
    name: 'unknown settings',
    severity: 'warns',
    todo: 'Correct their names in the settings file.',
    isOfMachine: true,
    find: ({ env }) => unknownInFile(env).join(' '),
  },
  {
    name: 'settings file',
    severity: 'warns',
    todo: 'Let only the users of the shop read it: chmod 640.',
    isOfMachine: true,
    find({ env }) {
      const file = settingsFile(env);
      return (
        file !== undefined &&
        (statSync(file).mode & OTHERS_MAY_READ) !== 0 &&
        `Everybody on this machine may read ${file}, which has passwords.`
      );
    },
  },
  {
    name: 'database',
    severity: 'blocks',
    todo: 'Start the API, which makes and fills it.',
    isOfMachine: true,
    find: async ({ settings }) => settings && DATABASE_STATES[await databaseState(settings.database)],
  },
  {
    name: 'folder rights',
    severity: 'warns',
    todo: 'Give the folder to the user that has to write there: shop, or shop-site for builds and releases.',
    isOfMachine: true,
    find(facts) {
      const closed = writtenFolders(facts).filter(
        (folder) => !isOfAnother(nearest(folder)) && !mayWrite(nearest(folder)),
      );
      return closed.length > 0 && `You may not write into ${closed.join(', ')}.`;
    },
  },
  {
    name: 'disk',
    severity: 'blocks',
    todo: 'Make room: a release, a backup and the database need some.',
    isOfMachine: true,
    find(facts) {
      const full = writtenFolders(facts).filter((folder) => facts.freeBytes(nearest(folder)) < GIBIBYTE);
      return full.length > 0 && `Less than 1 GiB is free where ${full.join(', ')} is.`;
    },
  },
  {
    name: 'SQLite',
    severity: 'blocks',
    todo: 'Run npm ci, which brings a Node with a good one.',
    find: ({ settings, sqlite }) =>
      settings &&
      !isPostgres(settings.database) &&
      hasWalFault(sqlite ?? '') &&
      `SQLite ${sqlite} can corrupt a file that two processes write at the same moment.`,
  },
  {
    name: 'pg_dump',
    severity: 'warns',
    todo: 'Install postgresql-client of the server’s version or later.',
    isOfMachine: true,
    find: async ({ settings, env }) =>
      settings &&
      isPostgres(settings.database) &&
      (await run('pg_dump', ['--version'], { env }).then(
        () => undefined,
        () => 'pg_dump is not here, so nothing can be backed up.',
      )),
  },
  {
    name: 'clock',
    severity: 'warns',
    todo: 'Switch time synchronisation on: timedatectl set-ntp true.',
    isOfMachine: true,
    // Where there is no systemd, nobody can tell.
    find: async ({ env }) =>
      (await run('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { env }).then(
        ({ stdout }) => stdout.trim() === 'no',
        () => false,
      )) &&
      'The clock is not synchronised: codes of the second factor and signatures of payments may be refused.',
  },
  {
    name: 'live release',
    severity: 'blocks',
    todo: 'Run npm run release, and look at the web server and PUBLISH_AFTER.',
    page: '/publish',
    async find({ env, shop, now }) {
      const origin = shop?.store.siteUrl;
      if (!origin || isReserved(origin)) return undefined;
      const live = await askAddress(origin, now);
      if ('problem' in live) return `Visitors do not get the shop. ${live.problem}`;
      const current = currentRelease(resolve(parseSettings(PUBLISH, env).PUBLISH_DIR));
      return (
        current !== undefined &&
        current !== live.id &&
        `Visitors of ${origin} get release ${live.id}, and ${current} should be live.`
      );
    },
  },
];
