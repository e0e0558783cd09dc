import { expect, it, onTestFinished } from 'vitest';
import { type StartOptions, startApi } from '#scripts/api/app/start.ts';
import { readSettings } from '#scripts/settings/settings.ts';
import { emptyDatabase } from '#tests/api/support/databases.ts';

async function start(options: StartOptions = {}): Promise<string> {
  const api = await startApi({ database: await emptyDatabase(), host: '127.0.0.1', ...options });
  onTestFinished(() => api.close());
  return api.url;
}

it('[fault 38] faults that a tester can switch on refuse what a page of any site can send without asking', async () => {
  const url = await start({ faults: true });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
    const request = { method: 'POST', body: '{"call":"*","status":503}', headers: { 'Content-Type': type } };
    expect((await fetch(`${url}/faults`, request)).status, type).toBe(415);
  }
  expect((await fetch(`${url}/api/v1/storeInfo`)).status).toBe(200);
});

it('faults are not there unless they were switched on, and never in production', async () => {
  expect((await fetch(`${await start()}/faults`)).status).toBe(404);
  expect(() => readSettings({ FAULTS: 'on', NODE_ENV: 'production' })).toThrow(
    'FAULTS: must be off in production',
  );
  expect(readSettings({ NODE_ENV: 'production', SANDBOX_GATEWAY: 'on' }).faults).toBe(false);
});
