/** Gives the files of a fresh clone the paths, the ports and the certificates of the test: node replacements.ts FOLDER */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replaces `myshop.in` in the test. */
export const NAME = 'shop.localhost';

/** Replaces what a test cannot have, in the commands of the page and in the files that they copy. */
export function replaceIn(
  text: string,
  { REHEARSAL: home = '', REHEARSAL_PORTS = '' }: NodeJS.Dict<string>,
): string {
  const [https = '', http = '', api = '', watcher = ''] = REHEARSAL_PORTS.split(' ');
  const replacements: readonly (readonly [from: RegExp, to: string])[] = [
    // A path that is replaced already has a letter before it.
    [/(?<![\w/.])\/(srv\/shop|etc\/(?:caddy|shop-site|systemd)|var\/lib)(?=[/\s'"*]|$)/gm, `${home}/$1`],
    [/\/usr\/bin\/systemctl/g, 'systemctl'],
    [/myshop\.in/g, NAME],
    [/https:\/\/((?:api\.)?shop\.example)\b/g, `https://$1:${https}`],
    [/https:\/\/shop\.localhost\b(?!:)/g, `https://${NAME}:${https}`],
    [/\b8044\b/g, api],
    [/^#(?=WATCH_PORT=)/gm, ''],
    [/\b8055\b/g, watcher],
    // Caddy is its own authority, and installs itself nowhere.
    [
      /admin unix.*$/gm,
      `admin unix/${home}/run/admin.sock\n\thttps_port ${https}\n\thttp_port ${http}\n\tlocal_certs\n\tskip_install_trust`,
    ],
  ];
  return replacements.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

if (import.meta.main) {
  const [, , folder = ''] = process.argv;
  const hosting = join(folder, 'scripts/hosting');
  const files = readdirSync(hosting, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(hosting, name),
  );
  for (const file of [join(folder, 'src/server/settings/shop.env.example'), ...files]) {
    if (file.endsWith('.md') || !statSync(file).isFile()) continue;
    writeFileSync(file, replaceIn(readFileSync(file, 'utf8'), process.env));
  }
}
