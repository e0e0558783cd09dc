import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

export type Found = { file: string; stats: Stats };

/** Read by the host, not by visitors. */
const PRIVATE = /^\/_(?:headers|redirects)$|\.dcz$/;

/** The path without its percent-encoding; undefined where it is broken, climbs or holds control characters. */
export const decodePath = (path: string): string | undefined => {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!decoded.startsWith('/') || /[\0-\x1f\\]/.test(decoded)) return undefined;
  return decoded.split('/').some((segment) => segment === '..' || segment === '.') ? undefined : decoded;
};

const asFile = async (file: string): Promise<Found | undefined> => {
  const stats = await stat(file).catch(() => undefined);
  return stats?.isFile() ? { file, stats } : undefined;
};

/** What a plain static host answers: PATH, PATH.html or PATH/index.html within `directory`. */
export const findFile = async (directory: string, path: string): Promise<Found | undefined> => {
  const decoded = decodePath(path);
  if (decoded === undefined || PRIVATE.test(decoded)) return undefined;
  const base = join(directory, decoded);
  if (base !== directory && !base.startsWith(directory.endsWith(sep) ? directory : directory + sep))
    return undefined;
  const tries = decoded.endsWith('/')
    ? [join(base, 'index.html')]
    : [base, `${base}.html`, join(base, 'index.html')];
  for (const file of tries) {
    const found = await asFile(file);
    if (found) return found;
  }
  return undefined;
};
