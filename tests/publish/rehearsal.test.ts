import { describe, expect, test } from 'vitest';
import { rehearse } from '#tests/rehearsal/steps.ts';
import { isInstalled } from './support/web-servers.ts';

const hasCaddy = isInstalled('caddy', 'version');
if (!hasCaddy) console.warn('Caddy is not installed: the steps of scripts/api/hosting are not taken here.');

describe.skipIf(!hasCaddy)('scripts/api/hosting/README.md', () => {
  test('its steps lead from a clone to an own shop and a paid order, in at most 15 commands', async () => {
    const { commands } = await rehearse({ web: 'caddy', database: 'sqlite' });
    expect(commands).toBeLessThanOrEqual(15);
  });
});
