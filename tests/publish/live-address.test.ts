import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rollBack } from '#scripts/publish/release/switch/rollback.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startScript } from './support/run.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';
import { isInstalled, startCaddy } from './support/web-servers.ts';

const hasCaddy = isInstalled('caddy', 'version');
if (!hasCaddy) console.warn('Caddy is not installed: no roll back behind it is tried here.');

/** Long enough for a reload of Caddy on a busy machine. */
const WAIT = { PUBLISH_WAIT: '20' };

describe.skipIf(!hasCaddy)('what visitors get after a switch', () => {
  /** Two releases behind Caddy, of which the second is live. Its publication knew how Caddy takes a release. */
  async function twoReleases() {
    const root = temporaryFolder();
    const shop = tinyShop();
    const first = await publishTiny(root, shop);
    const caddy = await startCaddy(temporaryFolder(), `${root}/current`);
    onTestFinished(caddy.stop);
    shop.design = 'second';
    const env = { PUBLISH_AFTER: caddy.reloadCommand, PUBLISH_ADDRESS: caddy.url, ...WAIT };
    const second = await publishTiny(root, shop, { env: { PUBLIC_API_HOST: 'http://127.0.0.1:9', ...env } });
    const inPlainShell = (...words: string[]) =>
      startScript('release.ts', { PUBLISH_DIR: root }, ['--rollback', ...words]).ended;
    const home = async (): Promise<string> => (await fetch(caddy.url)).text();
    return { root, caddy, first, second, inPlainShell, home };
  }

  test('[fault 85] a roll back in a shell without settings does what followed the publication, and visitors get it', async () => {
    const { root, first, second, inPlainShell, home } = await twoReleases();
    expect(await home()).toContain('app.second.js');
    const back = await inPlainShell();
    expect([back.status, back.errors]).toEqual([0, expect.not.stringContaining('in place')]);
    expect(back.output).toContain(`Back from ${second.id} to ${first.id}.`);
    expect(await home()).toContain('app.first.js');
    expect(existsSync(`${root}/after-switch.json`)).toBe(true);
  });

  test('[fault 85] it fails and says so where visitors still get the other release', async () => {
    const { root, caddy, first, second, home } = await twoReleases();
    await expect(rollBack(root, { env: { PUBLISH_AFTER: '', PUBLISH_WAIT: '0' } })).rejects.toThrow(
      `Release ${first.id} is in place, but visitors do not get it. ${caddy.url} still serves release ${second.id}. Set PUBLISH_AFTER`,
    );
    expect(await home()).toContain('app.second.js');
    // The command was replaced by none, so it has to be given again.
    await rollBack(root, { to: `${first.id}`, env: { PUBLISH_AFTER: caddy.reloadCommand, ...WAIT } });
    expect(await home()).toContain('app.first.js');
  });

  test('a publication fails where nobody answers at the address, unless none is to be asked', async () => {
    const { root, home } = await twoReleases();
    const publishTo = (address: string, design: string) =>
      publishTiny(
        root,
        { ...tinyShop(), design },
        {
          env: { PUBLIC_API_HOST: 'http://127.0.0.1:9', PUBLISH_ADDRESS: address, PUBLISH_WAIT: '0' },
        },
      );
    const nobody = `http://127.0.0.1:${await freePort()}`;
    await expect(publishTo(nobody, 'third')).rejects.toThrow(
      `${nobody}/build-info.json does not answer (connect ECONNREFUSED`,
    );
    await expect(publishTo('off', 'fourth')).resolves.toMatchObject({ announcedAgain: false });
    expect(await home()).toContain('app.fourth.js');
  });
});
