import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hosting } from '#scripts/publish/site/hosting.ts';
import { caddySite } from './caddy.ts';
import { nginxHttp, nginxServer } from './nginx.ts';

/** What a release says of its own hosting, for install.ts to check. */
export const HOSTING_FILE = 'hosting.json';

/**
 * Writes the configuration beside the site, for nginx and Caddy to include, and the data that it is made of. Returns
 * the names of the files.
 */
export async function writeHostFiles(
  folder: string,
  hosting: Hosting,
  { site, live }: { site: string; live: string },
): Promise<string[]> {
  const files = {
    'nginx-http.conf': nginxHttp(hosting),
    'nginx-server.conf': nginxServer(hosting, site, live),
    Caddyfile: caddySite(hosting, site),
    [HOSTING_FILE]: JSON.stringify(hosting),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return Object.keys(files);
}
