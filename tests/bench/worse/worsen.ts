import { randomBytes } from 'node:crypto';
import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = '_astro/worse.js';
/** These are more requests than the bar of any page leaves room for. */
const EMPTY_SCRIPTS = ['_astro/empty-1.js', '_astro/empty-2.js', '_astro/empty-3.js'];
/** More than any page's budget leaves room for. */
const BALLAST_BYTES = 20 * 1024;
/** More than the first round trip leaves room for. */
const PAGE_BALLAST_BYTES = 5 * 1024;

const ballast = (bytes: number): string => randomBytes(bytes).toString('base64');

/** Copies a built site so that every figure of the bench must be worse than its bar. Returns the copy's folder. */
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
