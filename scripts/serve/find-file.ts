import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

export type Found = { file: string; stats: Stats };

/** Files that are for the host, not for visitors. */
const PRIVATE = /^\/_(?:headers|redirects)$|\.dcz$/;

/**
 * Decodes the percent-encoding, and makes a row of slashes one, as the disk takes it; undefined if the encoding is broken,
 * or if the path has `..` or control characters.
 */
export const decodePath = (path: string): string | undefined => {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern refuses control characters
  if (!decoded.startsWith('/') || /[\0-\x1f\\]/.test(decoded)) return undefined;
  const tidy = decoded.replaceAll(/\/{2,}/g, '/');
  return tidy.split('/').some((segment) => segment === '..' || segment === '.') ? undefined : tidy;
};

const asFile = async (file: string): Promise<Found | undefined> => {
  const stats = await stat(file).catch(() => undefined);
  return stats?.isFile() ? { file, stats } : undefined;
};

/** Finds the file that a plain static host would send: PATH, PATH.html or PATH/index.html within `directory`. */
export const findFile = async (directory: string, path: string): Promise<Found | undefined> => {
  const decoded = decodePath(path);
  if (decoded === undefined || PRIVATE.test(decoded)) return undefined;
  const base = join(directory, decoded);
  if (base !== directory && !base.startsWith(directory.endsWith(sep) ? directory : directory + sep))
    return undefined;
  const candidates = decoded.endsWith('/')
    ? [join(base, 'index.html')]
    : [base, `${base}.html`, join(base, 'index.html')];
  for (const file of candidates) {
    const found = await asFile(file);
    if (found) return found;
  }
  return undefined;
};
