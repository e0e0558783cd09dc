import { describe, expect, it, onTestFinished } from 'vitest';
import { startApi } from '#scripts/api/app/start.ts';
import { createPublishing } from '#scripts/api/publishing/watcher.ts';
import { BuildError } from '#scripts/program/explained-error.ts';
import { CATALOGUE } from '#tests/api/support/api.ts';
import { emptyDatabase } from '#tests/api/support/databases.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startHook, TOKEN } from '#tests/support/watcher-hook.ts';

describe('publishing from inside', () => {
  it('says what to do where nothing publishes', async () => {
    const off = createPublishing({ hook: undefined, token: undefined });
    expect(await off.status()).toMatchObject({
      cause: 'not set',
      reason: expect.stringContaining('PUBLISH_HOOK'),
    });
    const gone = createPublishing({ hook: `http://127.0.0.1:${await freePort()}`, token: TOKEN });
    expect(await gone.publish()).toMatchObject({
      cause: 'unreachable',
      reason: expect.stringContaining("Is 'npm run publish:watch' running?"),
    });
    const api = await startApi({ database: await emptyDatabase(), catalogue: CATALOGUE });
    onTestFinished(() => api.close());
    const wrong = createPublishing({ hook: `${api.url}/healthz?`, token: TOKEN });
    expect(await wrong.status()).toMatchObject({
      cause: 'unreachable',
      reason: expect.stringContaining('is not the watcher'),
    });
  });

  it('says why it is refused', async () => {
    const { url, trigger } = await startHook({
      differences: async () => undefined,
      rollBack: async () => {
        throw new BuildError('There is no older release to go back to.');
      },
    });
    const stranger = createPublishing({ hook: url, token: 'of-somebody-else-entirely' });
    expect(await stranger.publish()).toMatchObject({
      cause: 'refused',
      reason: expect.stringContaining('REBUILD_TOKEN must be the same'),
    });
    expect(trigger).not.toHaveBeenCalled();
    const owner = createPublishing({ hook: url, token: TOKEN });
    expect(await owner.rollBack('2')).toMatchObject({ reason: 'There is no older release to go back to.' });
    expect(await owner.differences()).toMatchObject({ cause: 'nothing live' });
  });
});
