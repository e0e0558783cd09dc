import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from '#scripts/publish/build-site.ts';
import { checkCode } from '#scripts/publish/release/check-release.ts';
import { runProgram, stopSignal } from '#server/process/explained-error.ts';
import { loadSettings } from '#server/settings/load.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { PUBLISH } from '#server/settings/settings.ts';

/** `npm run build -- --fresh` reuses no page of the last build. */
const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } });

/** The longest line of _headers that Cloudflare Pages accepts, in characters. */
const LINE_LIMIT = 2_000;

runProgram(async () => {
  loadSettings();
  const { OUT_DIR: target } = parseSettings(PUBLISH, process.env);
  const started = performance.now();
  const { facts } = await buildSite(target, { force: values.fresh, signal: stopSignal() });
  for (const problem of checkCode(facts)) console.warn(`[policy] ${problem}`);
  const lines = readFileSync(join(target, '_headers'), 'utf8').split('\n');
  const longest = Math.max(...lines.map((line) => line.length));
  if (longest > LINE_LIMIT) {
    console.warn(
      `[headers] a line of _headers has ${longest} characters; Cloudflare Pages reads ${LINE_LIMIT}`,
    );
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${target}: ${facts.size.toLocaleString('en-IN')} pages in ${seconds} s`);
});
