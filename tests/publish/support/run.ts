import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { type AtEnd, temporaryFolder } from './temporary-folder.ts';

export interface Run {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PARTS = [
  'src',
  'public',
  'scripts',
  'package.json',
  'package-lock.json',
  'astro.config.mjs',
  'tsconfig.json',
];

/** A copy of the shop with its own cache, whose code the test may change. It has no packages. */
export function copyOfTheShop(atEnd?: AtEnd): string {
  const shop = temporaryFolder(atEnd);
  for (const part of PARTS) cpSync(join(ROOT, part), join(shop, part), { recursive: true });
  return shop;
}

export const linkPackages = (shop: string): void =>
  symlinkSync(join(ROOT, 'node_modules'), join(shop, 'node_modules'));

/** Runs `npm run build` of the shop in a folder, which is this one by default. */
export async function build(
  target: string,
  api: string,
  env: Record<string, string> = {},
  shop = ROOT,
): Promise<Run> {
  const child = spawn(process.execPath, [join(shop, 'scripts/build.ts')], {
    cwd: shop,
    env: { ...process.env, PUBLIC_IMAGES: 'passthrough', OUT_DIR: target, PUBLIC_API_HOST: api, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, output, errors };
}

/** What was built into a folder. */
export async function readBuilt(folder: string) {
  const files = await listFiles(folder);
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const named = (pattern: RegExp): string[] => files.filter((file) => pattern.test(file));
  return { files, read, pages: named(/\.html$/), scripts: named(/\.js$/) };
}
