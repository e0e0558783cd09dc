/**
 * `npm run maintain -- publish:load [--switches 100 --rate 1000 --server built-in|nginx|caddy]` switches releases under
 * load. No visitor may see a 404 or two releases at once.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rollBack } from '#scripts/publish/release/switch/rollback.ts';
import { startLoad } from '#tests/publish/support/load.ts';
import { publishTiny, tinyShop } from '#tests/publish/support/tiny-site.ts';
import { startBuiltIn, startCaddy, startNginx } from '#tests/publish/support/web-servers.ts';

const { values } = parseArgs({
  options: {
    switches: { type: 'string', default: '100' },
    rate: { type: 'string', default: '1000' },
    server: { type: 'string', default: 'built-in' },
  },
});

const STARTS: Readonly<Record<string, typeof startNginx>> = {
  'built-in': startBuiltIn,
  nginx: startNginx,
  caddy: startCaddy,
};
const start = STARTS[values.server];
if (!start) throw new Error(`--server is one of ${Object.keys(STARTS).join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'publish-load-'));
const root = join(folder, 'releases');
mkdirSync(root);
const shop = tinyShop(40);
await publishTiny(root, shop);
const server = await start(folder, join(root, 'current'));
const paths = ['/', '/payment', ...shop.products.map(({ id }) => `/product/${id}`)];
const load = await startLoad(server.url, paths, Number(values.rate));
try {
  for (let round = 1; round <= Number(values.switches); round += 1) {
    // Every tenth switch is a roll back.
    if (round % 10 === 0) await rollBack(root);
    else await publishTiny(root, Object.assign(shop, { design: `d${round}` }));
    await server.reload();
    await wait(50);
  }
} finally {
  const { asked, seconds, reconnected, faults, slowest } = await load.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  console.log(
    `${values.server}: ${values.switches} switches, ${asked} requests in ${seconds.toFixed(0)} s (${(asked / seconds).toFixed(0)} a second), slowest ${slowest.toFixed(0)} ms, ${reconnected} connections anew, ${faults.length} faults`,
  );
  for (const fault of faults) console.log(`  ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
