/** Gives the files of a fresh clone the paths, the ports and the certificates of the rehearsal: node replace-paths.ts FOLDER */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replacementsIn } from './replacements.ts';

const [, , folder = ''] = process.argv;
const hosting = join(folder, 'scripts/api/hosting');
const files = readdirSync(hosting, { recursive: true, encoding: 'utf8' }).map((name) => join(hosting, name));
for (const file of [join(folder, 'scripts/settings/shop.env.example'), ...files]) {
  if (file.endsWith('.md') || !statSync(file).isFile()) continue;
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    replacementsIn(process.env).reduce((changed, [from, to]) => changed.replaceAll(from, to), text),
  );
}
