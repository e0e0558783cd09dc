import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Registers a function that is called at the end of the test or group. */
export type AtEnd = (end: () => void) => void;

/** Makes a folder that is removed at the end of the test, or by `atEnd`. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'publish-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
