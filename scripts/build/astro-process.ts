/** `astro build` by Astro's own function: `astro-process.ts OUT_DIR [--force]`. Tells its parent why it failed. */
import { build } from 'astro';
import { messageOf } from '#scripts/publish/build-error.ts';

const [outDir = '', force] = process.argv.slice(2);
try {
  await build({ outDir, force: force === '--force' });
} catch (error) {
  // What the catalogue lacks is told in words; anything else is a fault of ours, and told whole.
  const isPlain = error instanceof Error && error.name === 'Error';
  process.send?.({ error: isPlain ? error.message : messageOf(error) });
  process.exitCode = 1;
}
process.disconnect?.();
