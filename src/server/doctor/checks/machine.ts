import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { databaseState } from '#server/db/open-database.ts';
import type { Check, Facts } from '#server/doctor/check.ts';
import { settingsFile } from '#server/settings/load.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { isPostgres, PUBLISH } from '#server/settings/settings.ts';

const GIBIBYTE = 2 ** 30;

const OTHERS_MAY_READ = 0o004;

/** Returns the nearest existing folder of a path. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

const writtenFolders = ({ env, settings }: Facts): string[] => [
  ...(settings && !isPostgres(settings.database) ? [dirname(resolve(settings.database))] : []),
  resolve(parseSettings(PUBLISH, env).PUBLISH_DIR),
  resolve('.cache'),
];

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const DATABASE_STATES = {
  none: 'There is no database of a shop at DATABASE.',
  foreign: 'The database at DATABASE is not one of this shop. Move it away.',
  older: 'The database is of an earlier version of the shop. The API brings it up to date when it starts.',
  newer: 'The database is of a later version of the shop than this program.',
  current: undefined,
} as const;

/** Checks of the machine itself, which the admin leaves out. */
export const MACHINE_CHECKS: readonly Check[] = [
  {
    name: 'settings file',
    severity: 'warns',
    todo: 'Let only the users of the shop read it: chmod 640.',
    find({ env }) {
      const file = settingsFile(env);
      return (
        file !== undefined &&
        (statSync(file).mode & OTHERS_MAY_READ) !== 0 &&
        `Every user of this machine can read ${file}, which has passwords.`
      );
    },
  },
  {
    name: 'database',
    todo: 'Start the API, which creates and fills it.',
    find: async ({ settings }) => settings && DATABASE_STATES[await databaseState(settings.database)],
  },
  {
    name: 'disk',
    todo: 'Make room: a release, a backup and the database need some.',
    find(facts) {
      const { freeBytes = freeBytesOf } = facts;
      const full = writtenFolders(facts).filter((folder) => freeBytes(nearest(folder)) < GIBIBYTE);
      return full.length > 0 && `Less than 1 GiB is free where ${full.join(', ')} is.`;
    },
  },
];
