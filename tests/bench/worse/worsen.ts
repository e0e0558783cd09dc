import { randomBytes } from 'node:crypto';
import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = '_astro/worse.js';
/** More requests than any page has left. */
const EMPTY_SCRIPTS = ['_astro/empty-1.js', '_astro/empty-2.js', '_astro/empty-3.js'];
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
  for (const script of EMPTY_SCRIPTS) writeFileSync(join(folder, script), ';');
  const tags = [SCRIPT, ...EMPTY_SCRIPTS].map((script) => `<script src="/${script}"></script>`).join('');
  for (const file of globSync('**/*.html', { cwd: folder })) {
    const html = readFileSync(join(folder, file), 'utf8').replace(
      '</head>',
      () => `${tags}<!-- ${ballast(PAGE_BALLAST_BYTES)} --></head>`,
    );
    writeFileSync(join(folder, file), html);
  }
  return folder;
}
