import { existsSync, globSync } from 'node:fs';

const versionOf = (folder: string): number => Number(folder.split('/').at(-2));

/** The folder of the newest PostgreSQL's programs, where Debian's packages put them; undefined where there is none. */
export const findPostgres = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin')
    .filter((folder) => existsSync(`${folder}/initdb`))
    .sort((a, b) => versionOf(b) - versionOf(a))[0];
