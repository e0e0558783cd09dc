import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine } from '#tests/rehearsal/machine.ts';
import { commandsOf, OWNER, setUp } from '#tests/rehearsal/steps.ts';
import { createShopClient } from '#tests/support/shop-client.ts';
import { isInstalled } from './support/web-servers.ts';

describe.skipIf(!isInstalled('caddy', 'version'))('scripts/hosting/README.md', () => {
  test('its steps lead from a clone, without the packages for development, to an own shop, a paid order and a signed-in owner, in at most 15 commands', async () => {
    expect(commandsOf('README.md', 'One machine').length).toBeLessThanOrEqual(15);
    const machine = await createMachine();
    try {
      const outputs = await setUp(machine);
      for (const name of ['typescript', 'vitest', 'playwright'])
        expect(existsSync(join(machine.home, 'srv/shop/app/node_modules', name)), name).toBe(false);
      const curl = (...args: string[]) => machine.run(`curl --silent --insecure ${args.join(' ')}`);
      await expect.poll(() => curl(`${machine.site}/product/mango`)).toContain(OWNER.storeName);
      const { newSignedIn, order, pay, orders } = createShopClient({ url: machine.upstream });
      const shopper = await newSignedIn();
      const { id } = await order(shopper);
      await pay(shopper, id);
      expect(await orders(shopper)).toMatchObject([{ id, status: 1 }]);
      const [, link = '', token = ''] = /(https:\/\/\S+\/admin\/link)#(\S+)/.exec(outputs.join('\n')) ?? [];
      const form = ['--data', `'token=${token}'`, '--data-urlencode', "'password=mangoes before monsoon'"];
      const origin = ['--header', `'Origin: ${new URL(link).origin}'`];
      const answer = await curl('--write-out', "'%{http_code} %{redirect_url}'", ...origin, ...form, link);
      expect(answer).toMatch(/^303 https:\/\/\S+\/admin\b(?!\/sign)/);
      await machine.run('systemctl start shop-backup');
    } finally {
      await machine.close();
    }
  });
});
