import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningApi, startApi } from '#scripts/api/app/start.ts';
import { readSettings } from '#scripts/settings/settings.ts';
import { emptyDatabase } from '#tests/api/support/databases.ts';

const ORIGIN = 'http://localhost:4321';
let api: RunningApi;

const ask = (path: string, { headers, ...init }: RequestInit = {}) =>
  fetch(api.url + path, { ...init, headers: { Origin: ORIGIN, ...headers } });
const control = (method: string, body?: unknown, type = 'application/json') =>
  ask('/faults', {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': type } }),
  });

beforeEach(async () => {
  api = await startApi({ database: await emptyDatabase(), host: '127.0.0.1', faults: true });
});
afterEach(() => api.close());

describe('faults that a tester switches on', () => {
  it('change one call as often as told, readable by the page', async () => {
    expect((await control('POST', { call: 'GET /storeInfo', status: 503, times: 2 })).status).toBe(200);
    const first = await ask('/api/v1/storeInfo');
    expect(first.status).toBe(503);
    expect(first.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect((await ask('/api/v1/products')).status).toBe(200);
    expect((await ask('/api/v1/storeInfo')).status).toBe(503);
    expect((await ask('/api/v1/storeInfo')).status).toBe(200);
  });

  it('know a call by its pattern, and go on until they are cleared', async () => {
    await control('POST', [{ call: 'GET /products/:id', status: 500 }]);
    for (let time = 0; time < 2; time += 1) expect((await ask('/api/v1/products/mango')).status).toBe(500);
    expect(await (await control('GET')).json()).toHaveLength(1);
    await control('DELETE');
    expect((await ask('/api/v1/products/mango')).status).toBe(404);
  });

  it('[fault 38] refuse what a page of any site can send without asking', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      expect((await control('POST', { call: '*', status: 503 }, type)).status, type).toBe(415);
    }
    expect((await ask('/api/v1/storeInfo')).status).toBe(200);
  });
});

it('is not there unless it was switched on, and never in production', async () => {
  const plain = await startApi({ database: await emptyDatabase(), host: '127.0.0.1' });
  expect((await fetch(`${plain.url}/faults`)).status).toBe(404);
  await plain.close();
  expect(() => readSettings({ FAULTS: 'on', NODE_ENV: 'production' })).toThrow(
    'FAULTS: must be off in production',
  );
  expect(readSettings({ NODE_ENV: 'production', SANDBOX_GATEWAY: 'on' }).faults).toBe(false);
});
