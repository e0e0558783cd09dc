import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** The files for hosting the shop (scripts/hosting). */
export const HOSTING = 'scripts/hosting';

/** The folder of the shop in these files. */
export const SHOP = '/srv/shop';

export const MACHINES = ['one-machine', 'three-machines'] as const;
export type Machines = (typeof MACHINES)[number];

/** The Caddyfile, with the release and the addresses of this computer in the place of the example's. */
export function caddyfileFor(
  machines: Machines,
  { release, site, api, upstreams }: Partial<Record<'release' | 'site' | 'api' | 'upstreams', string>>,
): string {
  let text = readFileSync(join(HOSTING, machines, 'Caddyfile'), 'utf8');
  const put = (from: RegExp, to = ''): void => {
    if (!from.test(text)) throw new Error(`${machines}/Caddyfile has no ${from.source}.`);
    text = text.replace(from, to);
  };
  if (release) put(/\/etc\/shop-site(?=\/Caddyfile\*$)/m, release);
  if (site) put(/^shop\.example(?= \{$)/m, site);
  if (api) put(/^api\.shop\.example(?= \{$)/m, api);
  if (upstreams) put(/(?<=reverse_proxy )[^{]+(?= \{$)/m, upstreams);
  return text;
}

const settingsIn = (file: string): NodeJS.Dict<string> => parseEnv(readFileSync(file, 'utf8'));

/** The settings of the API on these machines. */
export const apiEnvironment = (machines: Machines): NodeJS.Dict<string> => ({
  ...settingsIn('src/server/settings/shop.env.example'),
  ...(machines === 'one-machine' ? {} : settingsIn(join(HOSTING, machines, 'shop.env'))),
  REBUILD_TOKEN: 'a-token-of-the-shop-owner',
});

/** nginx's file of one machine, over plain http on one port, with the names of this computer. */
export function nginxFileFor({
  release,
  port,
  log,
  upstream = '127.0.0.1:9',
}: Record<'release' | 'log', string> & { port: number; upstream?: string }): string {
  let text = readFileSync(join(HOSTING, 'one-machine/nginx.conf'), 'utf8');
  const put = (from: RegExp, to = ''): void => {
    if (!from.test(text)) throw new Error(`nginx.conf has no ${from.source}.`);
    text = text.replace(from, to);
  };
  put(/^server \{\n {2}listen 80;[\s\S]*?\n\}\n/m);
  put(/listen 443 ssl http2;/g, `listen 127.0.0.1:${port};`);
  put(/ {2}listen \[::\].*\n/g);
  put(/ {2}ssl_certificate.*\n/g);
  put(/\/etc\/shop-site/g, release);
  put(/\/var\/log\/nginx/g, log);
  put(/server_name shop\.example;/, 'server_name localhost;');
  put(/server_name api\.shop\.example;/, 'server_name 127.0.0.1;');
  put(/127\.0\.0\.1:8044/, upstream);
  return text;
}
