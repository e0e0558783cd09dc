import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Is given what is to be done in the end. */
export type AtEnd = (end: () => void) => void;

/** A folder that goes with the test, or when `atEnd` says so. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'publish-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
