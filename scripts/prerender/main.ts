/** Makes the pages of a site in a process of its own: `main.ts KEPT OUT FACTS [--fresh]`. Tells its parent how far it is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '#scripts/publish/build-error.ts';
import { encodeFacts } from '#scripts/publish/site-facts.ts';
import { site } from '#site.ts';
import { makePages } from './make-pages.ts';

const EVERY = 100;

const [kept = '', out = '', facts = '', fresh] = process.argv.slice(2);
const tell = (message: Readonly<Record<string, unknown>>): void => void process.send?.(message);

process.env.IMAGE_OUT = join(out, '_astro/img/');
try {
  const made = await makePages({
    kept,
    out,
    origin: site.origin,
    fresh: fresh === '--fresh',
    onProgress: (done, total) => {
      if (done % EVERY === 0) tell({ done, total });
    },
  });
  writeFileSync(facts, JSON.stringify(encodeFacts(made)));
} catch (error) {
  // What the catalogue lacks is told in words; anything else is a fault of ours, and told whole.
  const isPlain = error instanceof Error && error.name === 'Error';
  tell({ error: isPlain ? error.message : messageOf(error) });
  process.exitCode = 1;
}
process.disconnect?.();
