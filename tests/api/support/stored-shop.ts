import { onTestFinished } from 'vitest';
import { startApi } from '#scripts/api/app/start.ts';
import { unlimited } from '#tests/support/api.ts';
import { createShopClient } from '#tests/support/shop-client.ts';
import { CATALOGUE } from './api.ts';

/** Starts an API on a port, on a database that other programs read, too. It closes with the test, or before. */
export async function openShop(database: string) {
  const api = await startApi({ database, catalogue: CATALOGUE, limits: unlimited() });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await api.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...createShopClient(api), api, db: api.db, close };
}
