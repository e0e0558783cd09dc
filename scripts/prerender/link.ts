import { constants, copyFileSync, linkSync, rmSync } from 'node:fs';

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Where a file system has no hard links, or the two are on different ones, or a file has too many already. */
const WITHOUT_LINKS = new Set<unknown>(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'EACCES']);

/** Makes `to` the same file as `from`, or a copy where that cannot be. Neither may be written into afterwards. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!WITHOUT_LINKS.has(codeOf(error))) throw error;
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}

/** The same where something may stand at `to`. */
export function linkOver(from: string, to: string): void {
  try {
    linkOrCopy(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    rmSync(to);
    linkOrCopy(from, to);
  }
}
