/** `node scripts/check/html.ts FOLDER`: every built page through the Nu HTML checker; skipped, saying so, without Java. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import * as v from 'valibot';

const JAR = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar');
const OUTPUT_LIMIT = 256 * 1024 * 1024;
/** Places told of one finding: a shop has a thousand pages of a kind. */
const SHOWN = 3;

/** Its part for style sheets knows neither `@starting-style` and `@view-transition` nor `min()` of unlike units. */
const OF_STYLES = /^CSS: /;

const Report = v.object({
  messages: v.array(
    v.object({
      type: v.string(),
      message: v.string(),
      url: v.optional(v.string(), ''),
      extract: v.optional(v.string(), ''),
    }),
  ),
});

function findings(folder: string): string[] {
  const args = ['-jar', JAR, '--skip-non-html', '--errors-only', '--exit-zero-always', '--format', 'json'];
  const { stdout, stderr, status } = spawnSync('java', [...args, '--stdout', folder], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_LIMIT,
  });
  if (status !== 0) throw new Error(`The HTML checker failed:\n${stderr}`);
  const { messages } = v.parse(Report, JSON.parse(stdout));
  const places = new Map<string, string[]>();
  for (const { message, url, extract } of messages) {
    if (OF_STYLES.test(message)) continue;
    const page = url.replace(`file:${resolve(folder)}/`, '');
    places.set(message, [...(places.get(message) ?? []), `${page}: ${extract.trim()}`]);
  }
  return [...places].map(
    ([message, found]) => `${message} (${found.length} times)\n    ${found.slice(0, SHOWN).join('\n    ')}`,
  );
}

const hasJava = spawnSync('java', ['-version']).status === 0;
const folder = process.argv[2] ?? 'dist';
if (hasJava) {
  const found = findings(folder);
  for (const line of found) console.error(line);
  console.log(`${relative('.', folder)}: ${found.length} kinds of errors found by the Nu HTML checker`);
  process.exitCode = found.length === 0 ? 0 : 1;
} else {
  console.log('no Java here: the Nu HTML checker is skipped');
}
