import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Registers a function that is called at the end of the test or group. */
export type AtEnd = (end: () => void | Promise<void>) => void;

/** Collects what is to be done at the end of a group. Its `beforeAll` returns `end`. */
export function endings(): { atEnd: AtEnd; end: () => Promise<void> } {
  const ends: (() => unknown)[] = [];
  return {
    atEnd: (end) => void ends.unshift(end),
    end: async () => {
      for (const end of ends) await end();
    },
  };
}

/** Makes a folder that is removed at the end of the test, or by `atEnd`. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'publish-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files, keyed by path, into a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}
