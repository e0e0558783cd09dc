import { describe, expect, it } from 'vitest';
import { startApi } from '#scripts/api/start.ts';
import { ADDRESS, MANGO, PASSWORD } from './support/api.ts';

describe('the server', () => {
  it('[spec 7.users.1, 7.users.2, 7.orders.1, 7.orders.3] sells over real HTTP: list, register, sign in, order, list of orders', async () => {
    const api = await startApi();
    const post = (path: string, body: unknown, token = '') =>
      fetch(`${api.url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
    try {
      const list = await (await fetch(`${api.url}/api/v1/products?limit=1`)).json();
      expect(list).toMatchObject({ data: [{ id: MANGO }], pagination: { page: 1, limit: 1 } });

      const person = { email: 'asha@example.com', password: PASSWORD };
      expect((await post('/users/register', { ...person, firstName: 'Asha', lastName: 'Rao' })).status).toBe(
        201,
      );
      const { token } = await (await post('/users/authorize', person)).json();
      const order = await (
        await post('/orders', { products: { [MANGO]: 2 }, shippingAddress: ADDRESS }, token)
      ).json();
      expect(order).toMatchObject({ status: 0, total: 1798 });

      const orders = await fetch(`${api.url}/api/v1/orders`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(await orders.json()).toEqual({ data: [order] });
    } finally {
      await api.close();
    }
  });
});
