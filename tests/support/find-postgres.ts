import { existsSync, globSync } from 'node:fs';

const versionOf = (folder: string): number => Number(folder.split('/').at(-2));

/** The folder with the programs of the newest PostgreSQL from Debian's packages; undefined if there is none. */
export const findPostgres = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin')
    .filter((folder) => existsSync(`${folder}/initdb`))
    .sort((a, b) => versionOf(b) - versionOf(a))[0];
