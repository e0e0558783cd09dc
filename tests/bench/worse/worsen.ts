import { randomBytes } from 'node:crypto';
import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = '_astro/worse.js';
/** More than any budget has left. */
const BALLAST_BYTES = 20 * 1024;
/** More than the first round trip has left. */
const PAGE_BALLAST_BYTES = 5 * 1024;

const ballast = (bytes: number): string => randomBytes(bytes).toString('base64');

/** A copy of a built site in which every figure of the bench must be worse than its bar; gives its folder. */
export function worsen(dist: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-worse-'));
  cpSync(dist, folder, { recursive: true });
  const code = readFileSync(new URL('./page.js', import.meta.url), 'utf8');
  writeFileSync(join(folder, SCRIPT), `${code}/* ${ballast(BALLAST_BYTES)} */\n`);
  for (const file of globSync('**/*.html', { cwd: folder })) {
    const html = readFileSync(join(folder, file), 'utf8').replace(
      '</head>',
      () => `<script src="/${SCRIPT}"></script><!-- ${ballast(PAGE_BALLAST_BYTES)} --></head>`,
    );
    writeFileSync(join(folder, file), html);
  }
  return folder;
}
