import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OFFER_NAMES } from '#domain/offers.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { build } from './support/run.ts';
import { startStubApi } from './support/stub-api.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** The files of a site and their bytes, without the report of the catalogue, which names the settings by a hash. */
async function filesOf(dist: string): Promise<Map<string, string>> {
  const files = (await listFiles(dist)).filter((file) => !file.startsWith('catalogue.json'));
  return new Map(files.map((file) => [file, readFileSync(join(dist, file), 'base64')]));
}

test('[spec 3.offers.1, 3.offers.2, 2.payment.8] [fault 120] a shop of an API that lists no offers sends and shows nothing of them', async () => {
  const api = await startStubApi(2);
  const dist = join(temporaryFolder(), 'dist');
  const built = async (offers: readonly string[] | undefined, settings: Record<string, string> = {}) => {
    api.store = { ...api.store, offers };
    const { status, errors } = await build(dist, api.url, settings);
    expect(status, errors).toBe(0);
    const files = await filesOf(dist);
    const scripts = [...files].filter(([name]) => name.endsWith('.js')).map(([, bytes]) => atob(bytes));
    return {
      files,
      readsReturns: scripts.some((script) => script.includes('returnUntil')),
      sendsKeys: scripts.some((script) => script.includes('Idempotency-Key')),
      saysTests: atob(files.get('payment.html') ?? '').includes('Test payments: no money moves.'),
    };
  };
  const plain = await built(undefined);
  const rich = await built([...OFFER_NAMES, 'teleport']);
  const refused = await built(['idempotencyKeys', 'orderLines'], {
    PUBLIC_IDEMPOTENCY_KEYS: 'false',
    PUBLIC_ORDER_LINES: 'false',
  });
  expect([plain.readsReturns, rich.readsReturns]).toEqual([false, true]);
  expect([plain.sendsKeys, rich.sendsKeys]).toEqual([false, true]);
  expect([plain.saysTests, rich.saysTests]).toEqual([false, true]);
  expect(refused.files).toEqual(plain.files);
}, 240_000);
