/** `node scripts/check/html.ts FOLDER` checks every built page with the Nu HTML checker. Without Java it is skipped. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import * as v from 'valibot';

const JAR = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar');
const OUTPUT_LIMIT = 256 * 1024 * 1024;
/** How many places are shown per error: a shop may have a thousand pages of one kind. */
const SHOWN_PLACES = 3;

/** The checker does not know `@starting-style`, `@view-transition` and `min()` of mixed units. */
const CSS_ERROR = /^CSS: /;

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

function findErrors(folder: string): string[] {
  const args = ['-jar', JAR, '--skip-non-html', '--errors-only', '--exit-zero-always', '--format', 'json'];
  const { stdout, stderr, status } = spawnSync('java', [...args, '--stdout', folder], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_LIMIT,
  });
  if (status !== 0) throw new Error(`The HTML checker failed:\n${stderr}`);
  const { messages } = v.parse(Report, JSON.parse(stdout));
  const places = new Map<string, string[]>();
  for (const { message, url, extract } of messages) {
    if (CSS_ERROR.test(message)) continue;
    const page = url.replace(`file:${resolve(folder)}/`, '');
    places.set(message, [...(places.get(message) ?? []), `${page}: ${extract.trim()}`]);
  }
  return [...places].map(
    ([message, found]) =>
      `${message} (${found.length} times)\n    ${found.slice(0, SHOWN_PLACES).join('\n    ')}`,
  );
}

const hasJava = spawnSync('java', ['-version']).status === 0;
const folder = process.argv[2] ?? 'dist';
if (hasJava) {
  const errors = findErrors(folder);
  for (const error of errors) console.error(error);
  console.log(`${relative('.', folder)}: ${errors.length} kinds of errors found by the Nu HTML checker`);
  process.exitCode = errors.length === 0 ? 0 : 1;
} else {
  console.log('Java is not installed: the Nu HTML checker is skipped');
}
