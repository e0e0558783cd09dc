import { spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const mount = (folder: string, kib: number): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder]).status === 0;

const unmount = (folder: string): void => void spawnSync('umount', ['--lazy', folder]);

/** Mounts a file system of `kib` KiB for the test. Returns its folder; undefined if this computer allows no mount. */
export function smallDisk(kib: number): string | undefined {
  const folder = temporaryFolder();
  if (!mount(folder, kib)) return undefined;
  onTestFinished(() => unmount(folder));
  return folder;
}
