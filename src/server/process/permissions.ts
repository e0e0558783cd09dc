import { accessSync, constants, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/* Files that another user made, such as root by the first release. */

const DENIED = /\b(?:EACCES|EPERM|EROFS)\b|readonly database|unable to open database file/;

/** Returns what the system answers, or `otherwise` if it refuses. */
function answerOr<T>(ask: () => T, otherwise: T): T {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

/** Returns a user's name, or the number if the machine has none for it. */
function userName(uid: number): string {
  const users = answerOr(() => readFileSync('/etc/passwd', 'utf8'), '');
  return new RegExp(`^([^:]+):[^:]*:${uid}:`, 'm').exec(users)?.[1] ?? `user ${uid}`;
}

const may = (path: string, mode: number): boolean =>
  answerOr(() => accessSync(path, mode) === undefined, false);

/** Returns the uid of a file's owner, or undefined if there is no such file, or it cannot be seen. */
export const ownerOf = (path: string): number | undefined => answerOr(() => lstatSync(path).uid, undefined);

/** Returns what keeps a file from being written: the nearest folder that may not be written, or the file itself. */
function deniedPath(path: string): string {
  let folder = dirname(path);
  while (ownerOf(folder) === undefined && folder !== dirname(folder)) folder = dirname(folder);
  if (!may(folder, constants.W_OK | constants.X_OK)) return folder;
  const files = [path, `${path}-wal`, `${path}-shm`].filter((file) => ownerOf(file) !== undefined);
  return files.find((file) => !may(file, constants.W_OK)) ?? path;
}

/** The command that gives a path to a user. */
export const giveTo = (user: string, path: string): string => `sudo chown -R ${user} ${path}`;

/**
 * Returns what kept this program from a file, if that is why it failed: whose it is, and the command that changes that.
 * @param file which one, where the error does not name it
 */
export function deniedMessage(error: unknown, file?: string): string | undefined {
  const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
  if (!DENIED.test(reason)) return undefined;
  const named = file ?? /'([^']+)'$/.exec(reason)?.[1];
  if (named === undefined) return `A file may not be written: ${reason}`;
  const path = deniedPath(resolve(named));
  const uid = ownerOf(path);
  const me = answerOr(() => userInfo().username, String(process.geteuid?.()));
  const isOwn = uid === undefined || uid === process.geteuid?.();
  const whose = isOwn
    ? `${path} may not be written by ${me}, who runs this program. Check its mode, and whether its disk is read-only (ls -ld, mount).`
    : `${path} belongs to ${userName(uid)}, and ${me}, who runs this program, may not write it. Run: ${giveTo(me, path)} (npm run doctor names all such files).`;
  return `${whose}\n(${reason})`;
}

const MAX_SEEN = 2_000;

/** Returns paths in a folder, the uppermost first, and not all of a large one. */
function pathsIn(folder: string): string[] {
  const paths = [folder];
  for (let at = 0; at < paths.length && paths.length < MAX_SEEN; at += 1) {
    const path = paths[at] ?? '';
    // The owner of what cannot be read is examined all the same.
    const names = answerOr(() => (lstatSync(path).isDirectory() ? readdirSync(path) : []), []);
    paths.push(...names.map((name) => join(path, name)));
  }
  return paths;
}

/**
 * Returns a sentence for a folder with files of another user than its own, or that is root's in a shop of another user.
 * @param shopUser the uid of the shop's files; undefined if it has none yet
 */
export function foreignFiles(
  folder: string,
  shopUser: number | undefined,
  owner = ownerOf,
): string | undefined {
  const own = owner(folder);
  if (own === undefined) return undefined;
  const isOfRoot = own === 0 && shopUser !== undefined && shopUser !== 0;
  const right = isOfRoot ? shopUser : own;
  const foreign = pathsIn(folder).find((path) => (owner(path) ?? right) !== right);
  return foreign === undefined
    ? undefined
    : `${foreign} belongs to ${userName(owner(foreign) ?? 0)}, not to ${userName(right)}: ${giveTo(userName(right), folder)}.`;
}
