import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const OTHERS = 0o077;

/**
 * Makes the file if it is not there, empty, and its folder, so that their owner alone can read them. Takes
 * the rights of others away from a file that is there. Whatever writes into the file leaves its rights as they are.
 */
export function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  // SQLite gives the files that it makes beside a database the database's rights, but those of before keep theirs.
  for (const name of [file, `${file}-wal`, `${file}-shm`].filter((each) => existsSync(each))) {
    const { mode, uid } = statSync(name);
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(name, mode & ~OTHERS);
  }
}
