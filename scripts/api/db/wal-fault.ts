/** The releases that fixed the fault: 3.51.3 and all later, and these of older lines. */
const FIRST_FIXED = { minor: 51, patch: 3 };
const FIXED_IN_OLDER_LINES: ReadonlyMap<number, number> = new Map([
  [44, 6],
  [50, 7],
]);
/** The first release with a write-ahead log. */
const FIRST_WITH_WAL = 7;

/**
 * Whether a version of SQLite has the WAL-reset bug: where two connections write or make a checkpoint at the same moment,
 * the file can be corrupted, which is very rare (https://sqlite.org/wal.html#walresetbug). 3.7.0 to 3.51.2 have it.
 */
export function hasWalFault(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major !== 3 || minor < FIRST_WITH_WAL || minor > FIRST_FIXED.minor) return false;
  const fixedIn = minor === FIRST_FIXED.minor ? FIRST_FIXED.patch : FIXED_IN_OLDER_LINES.get(minor);
  return fixedIn === undefined || patch < fixedIn;
}
