import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CommandError, runOrdersCommand } from '#scripts/api/orders-command.ts';
import { OrderSchema } from '#scripts/api/schema/orders.ts';
import { MANGO, testApi } from './support/api.ts';

async function withOrder() {
  const api = await testApi();
  const { token } = await api.customer();
  const { id } = v.parse(OrderSchema, (await api.order(token, { [MANGO]: 2 })).json);
  const status = async () => {
    const { json } = await api.ask('/orders', { token });
    return v.parse(v.object({ data: v.tuple([OrderSchema]) }), json).data[0].status;
  };
  return { ...api, id, status, run: (...words: string[]) => runOrdersCommand(api.db, words) };
}

describe('npm run orders', () => {
  it('moves an order through every status', async () => {
    const { run, id, status } = await withOrder();
    const seen = [await status()];
    for (const move of ['process', 'ship', 'deliver']) {
      await run(move, id);
      seen.push(await status());
    }
    expect(seen).toEqual([0, 1, 2, 3]);
    const other = await withOrder();
    expect(await other.run('cancel', other.id.slice(0, 8))).toBe(`Order ${other.id}: Pending → Cancelled`);
    expect(await other.status()).toBe(4);
  });

  it('refuses a move out of turn, and says why', async () => {
    const { run, id, status } = await withOrder();
    await expect(run('ship', id)).rejects.toThrow(`Order ${id} is Pending; to ship it must be Processing.`);
    await expect(run('deliver', id)).rejects.toThrow(CommandError);
    await run('cancel', id);
    for (const move of ['process', 'ship', 'deliver', 'cancel']) {
      await expect(run(move, id)).rejects.toThrow(CommandError);
    }
    expect(await status()).toBe(4);
  });

  it('lists and shows', async () => {
    const { run, id, db } = await withOrder();
    expect(await run('list')).toMatch(new RegExp(`^${id} {2}Pending +₹1,798 {2}2026-01-05T10:00:00.000Z$`));
    expect(await run('show', id)).toContain('2 × Alphonso Mango, box of 6');
    await db.write(() => db.run('DELETE FROM order_items'));
    await db.write(() => db.run('DELETE FROM orders'));
    expect(await run('list')).toBe('There are no orders yet.');
  });

  it.each([
    [[]],
    [['ship']],
    [['__proto__', 'x']],
    [['toString', 'x']],
    [['show', 'abc']],
    [['ship', '________']],
  ])('%j is refused with a text', async (words) => {
    const { run } = await withOrder();
    await expect(run(...words)).rejects.toThrow(CommandError);
  });
});
