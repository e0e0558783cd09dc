import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer, listen } from '#scripts/api/http/node-server.ts';
import { MANGO, testApi } from '#tests/api/support/api.ts';
import { anyRow } from '#tests/api/support/rows.ts';

const ORDERS = 1_000;
const PRODUCTS = 100;
const READERS = 60;
const MIB = 1024 * 1024;

/** An account with 1,000 orders of 100 products each: copies of its first. */
async function fullAccount() {
  const api = await testApi();
  const { token } = await api.customer();
  await api.order(token, { [MANGO]: 2 });
  const [order = {}] = await api.db.all(anyRow, 'SELECT * FROM orders');
  const [item = {}] = await api.db.all(anyRow, 'SELECT * FROM order_items');
  // The database makes these from the address.
  const generated = ['recipient', 'phone', 'postal_code'];
  const columns = Object.keys(order).filter((name) => !generated.includes(name));
  const copied = Object.keys(item).filter((name) => name !== 'order_number' && name !== 'position');
  await api.db.write(async (transaction) => {
    for (let count = 1; count < ORDERS; count += 1) {
      const copy: Record<string, unknown> = {
        ...order,
        number: Number(order.number) + count,
        id: randomUUID(),
      };
      await transaction.run(
        `INSERT INTO orders (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
        ...columns.map((name) => copy[name] as string | number | null),
      );
    }
    await transaction.run('DELETE FROM order_items');
    // One place of all orders at a time, because a statement may not take long.
    for (let place = 0; place < PRODUCTS; place += 1)
      await transaction.run(
        `INSERT INTO order_items (order_number, position, ${copied.join()})
         SELECT number, ?, ${copied.map(() => '?').join()} FROM orders`,
        place,
        ...copied.map((name) => item[name] as string | number | null),
      );
  });
  return { ...api, token };
}

const memory = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

test('[fault 130] 60 readers that never read 1,000 orders of 100 products: bounded pages, and connections that end', async () => {
  const { app, ask, token } = await fullAccount();
  const page = await ask('/orders', { token });
  expect(page.text.match(/"productTitle"/g)).toHaveLength(50 * PRODUCTS);
  expect(page.text.length).toBeLessThan(MIB);

  const server = Object.assign(createHttpServer(getRequestListener(app.fetch), { idle: 500 }), {
    keepAliveTimeout: 500,
  });
  const port = await listen(server, 0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  const before = memory();
  let [answered, most] = [0, 0];
  server.on('request', (_request, response) =>
    response.once('close', () => {
      answered += 1;
      most = Math.max(most, memory() - before);
    }),
  );
  for (let reader = 0; reader < READERS; reader += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket
      .pause()
      .write(`GET /api/v1/orders HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  }
  await expect.poll(() => answered).toBe(READERS);
  const count = () => new Promise((resolve) => server.getConnections((_error, open) => resolve(open)));
  await expect.poll(count).toBe(0);
  // The whole list of each reader would be 12 MB, 700 MB in all. What is not yet collected counts, too.
  expect(most).toBeLessThan(300 * MIB);
});
