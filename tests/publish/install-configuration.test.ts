import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { installConfiguration } from '#scripts/publish/hosts/install.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';

let folder: string;
let target: string;
beforeEach(async () => {
  folder = temporaryFolder();
  target = join(folder, 'etc');
  mkdirSync(target);
  await publishTiny(folder, tinyShop(1));
});

const inRelease = (file: string): string => join(folder, 'current', file);
const install = () => installConfiguration(folder, target);

test('the web server gets the folder and the headers of the live release', async () => {
  await install();
  const site = realpathSync(inRelease('site'));
  for (const file of ['nginx-server.conf', 'Caddyfile'])
    expect(readFileSync(join(target, file), 'utf8')).toContain(site);
  expect(readFileSync(join(target, 'nginx-http.conf'), 'utf8')).toContain("default-src 'none'");
});

const redirect = (to: string) => ({ redirects: [{ from: '/a', query: 'category=b', to }] });

test.each([
  ['a variable of nginx', { everywhere: { 'X-Frame-Options': '$ssl_client_raw_cert' } }],
  ['a placeholder of Caddy', { everywhere: { 'X-Frame-Options': '{env.SECRET}' } }],
  ['a second line', { everywhere: { 'X-Frame-Options': 'DENY\nroot /;' } }],
  ['a directive as a header', { everywhere: { 'a b; root /': 'DENY' } }],
  ['a file that Caddy imports', { everywhere: { import: '/srv/shop/releases/evil' } }],
  ['a header that Caddy takes away', { everywhere: { '-Content-Security-Policy': 'x' } }],
  ['a directive in a redirect', redirect('/b; } location / { root /')],
  ['a redirect to another site', redirect('//evil.example')],
  ['a directive as a file', { rules: [{ files: ['a "b"; } #'], headers: { A: 'b' } }] }],
  ['a directive as a dictionary', { available: ':a" b; }:' }],
])('%s is refused', async (_what, change) => {
  const hosting: unknown = JSON.parse(readFileSync(inRelease('hosting.json'), 'utf8'));
  writeFileSync(inRelease('hosting.json'), JSON.stringify({ ...Object(hosting), ...change }));
  await expect(install()).rejects.toThrow('what no release says');
  expect(existsSync(join(target, 'Caddyfile'))).toBe(false);
});

/** Puts a link to another place where the file is. */
function replaceByLink(file: string, other: string): void {
  renameSync(file, join(folder, 'moved'));
  symlinkSync(other, file);
}

test.each([
  [
    'a release outside the folder',
    () => replaceByLink(join(folder, 'current'), join(folder, 'elsewhere/release')),
  ],
  ['a site that is a link', () => replaceByLink(inRelease('site'), '/etc')],
  ['data that is a link', () => replaceByLink(inRelease('hosting.json'), join(folder, 'moved'))],
  [
    'data that never ends',
    () => {
      rmSync(inRelease('hosting.json'));
      execFileSync('mkfifo', [inRelease('hosting.json')]);
    },
  ],
  [
    'a release with a placeholder as its name',
    () => {
      renameSync(realpathSync(join(folder, 'current')), join(folder, '{env.SECRET}'));
      replaceByLink(join(folder, 'current'), '{env.SECRET}');
    },
  ],
])('%s is refused', async (_what, change) => {
  mkdirSync(join(folder, 'elsewhere/release'), { recursive: true });
  change();
  await expect(install()).rejects.toThrow(/is no release|is a link|is no settings file|ELOOP/);
  expect(existsSync(join(target, 'Caddyfile'))).toBe(false);
});
