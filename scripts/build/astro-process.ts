/** `astro-process.ts OUT_DIR [--force]` runs `astro build`. If it fails, it sends the reason to its parent process. */
import { build } from 'astro';
import { messageOf } from '#server/process/explained-error.ts';
import { deniedMessage } from '#server/process/permissions.ts';

const [outDir = '', force] = process.argv.slice(2);
try {
  await build({ outDir, force: force === '--force', logLevel: 'warn' });
} catch (error) {
  // A plain Error comes from the catalogue, and its message explains it. Anything else is a bug and needs its
  // stack.
  const name = error instanceof Error ? error.name : '';
  const isRefused = name === 'RefusedCatalogue';
  const isPlain =
    error instanceof Error && (isRefused || (name === 'Error' && deniedMessage(error) === undefined));
  const text = isPlain ? error.message : messageOf(error);
  process.send?.({ error: text, isRefused });
  process.exitCode = 1;
}
process.disconnect?.();
