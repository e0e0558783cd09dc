import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** The files for hosting the shop (scripts/hosting). */
export const HOSTING = 'scripts/hosting';

/** The folder of the shop in these files. */
export const SHOP = '/srv/shop';

export const MACHINES = ['one-machine', 'three-machines'] as const;
export type Machines = (typeof MACHINES)[number];

/** Replaces parts of a file. @throws if it has no such part */
const withParts = (
  file: string,
  parts: readonly (readonly [from: RegExp, to: string | undefined])[],
): string =>
  parts.reduce(
    (text, [from, to]) => {
      if (to === undefined) return text;
      if (text.search(from) === -1) throw new Error(`${file} has no ${from.source}.`);
      return text.replace(from, to);
    },
    readFileSync(join(HOSTING, file), 'utf8'),
  );

/** The Caddyfile, with the release and the addresses of this computer in the place of the example's. */
export const caddyfileFor = (
  machines: Machines,
  { release, site, api, upstreams }: Partial<Record<'release' | 'site' | 'api' | 'upstreams', string>>,
): string =>
  withParts(`${machines}/Caddyfile`, [
    [/\/etc\/shop-site(?=\/Caddyfile\*$)/m, release],
    [/^shop\.example(?= \{$)/m, site],
    [/^api\.shop\.example(?= \{$)/m, api],
    [/(?<=reverse_proxy )[^{]+(?= \{$)/m, upstreams],
  ]);

const settingsIn = (file: string): NodeJS.Dict<string> => parseEnv(readFileSync(file, 'utf8'));

/** The settings of the API on these machines. */
export const apiEnvironment = (machines: Machines): NodeJS.Dict<string> => ({
  ...settingsIn('src/server/settings/shop.env.example'),
  ...(machines === 'one-machine' ? {} : settingsIn(join(HOSTING, machines, 'shop.env'))),
  REBUILD_TOKEN: 'a-token-of-the-shop-owner',
});

/** nginx's file of one machine, over plain http on one port, with the names of this computer. */
export const nginxFileFor = ({
  release,
  port,
  log,
  upstream,
}: Record<'release' | 'log' | 'upstream', string> & { port: number }): string =>
  withParts('one-machine/nginx.conf', [
    [/^server \{\n {2}listen 80;[\s\S]*?\n\}\n/m, ''],
    [/listen 443 ssl http2;/g, `listen 127.0.0.1:${port};`],
    [/ {2}listen \[::\].*\n/g, ''],
    [/ {2}ssl_certificate.*\n/g, ''],
    [/\/etc\/shop-site/g, release],
    [/\/var\/log\/nginx/g, log],
    [/server_name shop\.example;/, 'server_name localhost;'],
    [/server_name api\.shop\.example;/, 'server_name 127.0.0.1;'],
    [/127\.0\.0\.1:8044/, upstream],
  ]);
