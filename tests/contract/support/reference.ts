import { importCatalogue } from '#server/catalogue/folder/import.ts';
import { capabilitiesOf } from '#server/services/capabilities.ts';
import { readSettings } from '#server/settings/settings.ts';
import { catalogue, SITE, testApi } from '#tests/server/support/api.ts';
import { rowsOf, runSql } from '#tests/server/support/rows.ts';
import type { Hooks, Target } from './hooks.ts';

let api: Awaited<ReturnType<typeof testApi>> | undefined;

const running = async () => {
  api ??= await testApi();
  return api;
};

const hooks: Required<Hooks> = {
  ownWords: true,
  reset: async () => {
    api = await testApi();
  },
  sell: async (products) => {
    const { db, pass } = await running();
    await importCatalogue(db, { ...catalogue, products: [...products] });
    // The API checks for a new catalogue a few times a second.
    pass(1_000);
  },
  pass: async (milliseconds) => (await running()).pass(milliseconds),
  setStatus: async (orderId, status) => {
    const { db } = await running();
    await runSql(db, 'UPDATE orders SET status = ? WHERE id = ?', status, orderId);
  },
  linesOf: async (orderId) => {
    const { db } = await running();
    return rowsOf(
      db,
      `SELECT product_id AS id, order_items.quantity, size AS "selectedSize", color AS "selectedColor"
       FROM order_items JOIN orders ON number = order_number WHERE orders.id = ? ORDER BY position`,
      orderId,
    );
  },
  send: async (request) => {
    const { app } = await running();
    return app.request(request, undefined, { incoming: { socket: { remoteAddress: '203.0.113.7' } } });
  },
};

/** The reference API in this process, with every hook. */
export const reference: Target = {
  base: 'http://localhost/api/v1',
  origin: SITE,
  capabilities: capabilitiesOf(readSettings({})),
  missing: [],
  hooks,
};
