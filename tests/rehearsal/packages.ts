/** Links the packages that `npm ci --omit=dev` would install, from a checkout: node packages.ts CHECKOUT */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';

const LockSchema = v.object({
  packages: v.record(
    v.string(),
    v.object({ dev: v.optional(v.boolean(), false), devOptional: v.optional(v.boolean(), false) }),
  ),
});

const [, , checkout = ''] = process.argv;
const { packages } = v.parse(LockSchema, JSON.parse(readFileSync('package-lock.json', 'utf8')));
const needed = Object.entries(packages).flatMap(([path, { dev, devOptional }]) =>
  path === '' || dev || devOptional ? [] : [path],
);
for (const path of ['node_modules/.bin', ...needed]) {
  // A package inside another one comes with it.
  const isInside = path.lastIndexOf('node_modules/') > 0;
  if (isInside || !existsSync(join(checkout, path))) continue;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(checkout, path), path);
}
