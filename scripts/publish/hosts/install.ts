import { constants } from 'node:fs';
import { mkdir, open, realpath, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { HOSTING_FILE, type Hosting, HostingSchema } from '#scripts/publish/site/hosting.ts';
import { ExplainedError, runProgram } from '#server/process/explained-error.ts';
import { caddySite } from './caddy.ts';
import { nginxHttp, nginxServer } from './nginx.ts';

const MAX_BYTES = 4_000_000;

async function readHosting(file: string): Promise<Hosting> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > MAX_BYTES) throw new ExplainedError(`${file} is no settings file.`);
    return v.parse(HostingSchema, JSON.parse(await handle.readFile('utf8')));
  } catch (error) {
    if (error instanceof v.ValiError || error instanceof SyntaxError)
      throw new ExplainedError(`${file} has what no release says: ${error.message}`);
    throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Writes the configuration of nginx and Caddy for the live release. The user of the builds writes the release, and
 * root reads the configuration, so only checked data of the release gets into it.
 * @param releases the folder of the releases
 * @param target a folder that only root may write
 */
export async function installConfiguration(releases: string, target: string): Promise<void> {
  const root = await realpath(releases);
  const release = await realpath(join(root, 'current'));
  if (dirname(release) !== root || !/^[\w.-]+$/.test(basename(release)))
    throw new ExplainedError(`${release} is no release of ${root}.`);
  const site = join(release, 'site');
  if ((await realpath(site)) !== site) throw new ExplainedError(`${site} is a link.`);
  const hosting = await readHosting(join(release, HOSTING_FILE));
  const files = {
    'nginx-http.conf': nginxHttp(hosting),
    'nginx-server.conf': nginxServer(hosting, site, join(root, 'current', 'site')),
    Caddyfile: caddySite(hosting, site),
  };
  const next = join(target, '.next');
  await mkdir(next, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(next, name), text);
  for (const name of Object.keys(files)) await rename(join(next, name), join(target, name));
}

if (import.meta.main) {
  runProgram(async () => {
    const [, , releases, target] = process.argv;
    if (releases === undefined || target === undefined)
      throw new ExplainedError('Name the releases and the target.');
    await installConfiguration(releases, target);
  });
}
