import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publish } from '#scripts/publish/publish.ts';
import { SITE } from '#scripts/publish/release/releases.ts';
import { startWatcher } from '#scripts/publish/watch/start-watcher.ts';
import { serveSite } from '#scripts/serve/server.ts';
import { CURRENT } from '#server/process/publishing.ts';
import { startTestApi } from './api.ts';
import { testBuildEnv } from './build-site.ts';
import { freePort } from './free-port.ts';

const TOKEN = 'a-token-of-the-tests-admin';

/** A shop as `npm start` runs it: its first release, which is served, and a watcher that publishes the next on request of the admin. */
export async function startPublishedShop() {
  const root = await mkdtemp(join(tmpdir(), 'releases-'));
  const [hookPort, sitePort] = await Promise.all([freePort(), freePort()]);
  const api = await startTestApi({
    siteOrigins: [`http://localhost:${sitePort}`],
    publishing: { hook: `http://127.0.0.1:${hookPort}`, token: TOKEN },
  });
  const release = { root, env: { ...testBuildEnv(api.url), PRECOMPRESS: 'false' } };
  await publish(release);
  const watcher = await startWatcher({
    root,
    token: TOKEN,
    host: '127.0.0.1',
    port: hookPort,
    interval: 0,
    env: { PUBLIC_API_HOST: api.url },
    log: () => {},
    publish: (options) => publish({ ...release, ...options }),
  });
  const directory = join(root, CURRENT, SITE);
  const site = await serveSite({ directory, port: sitePort, host: '127.0.0.1' });
  return {
    shop: { url: site.url, apiUrl: api.url, api, directory },
    async close() {
      await Promise.all([site.close(), watcher.close(), api.close()]);
      await rm(root, { recursive: true, force: true });
    },
  };
}
