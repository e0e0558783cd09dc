import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hosting } from '#scripts/publish/site/hosting.ts';
import { caddySite } from './caddy.ts';
import { nginxHttp, nginxServer } from './nginx.ts';

/** Writes `nginx-http.conf`, `nginx-server.conf` and `Caddyfile` beside the site, for nginx and Caddy to include. */
export async function writeHostFiles(
  folder: string,
  hosting: Hosting,
  { site, live }: { site: string; live: string },
): Promise<void> {
  await writeFile(join(folder, 'nginx-http.conf'), nginxHttp(hosting));
  await writeFile(join(folder, 'nginx-server.conf'), nginxServer(hosting, site, live));
  await writeFile(join(folder, 'Caddyfile'), caddySite(hosting, site));
}
