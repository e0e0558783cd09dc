import { describe, expect, it } from 'vitest';
import { limitedApi, MANGO, type testApi, withCustomer } from '#tests/server/support/api.ts';
import { countsWith } from '#tests/support/api.ts';
import { CODE_PASTES } from '#tests/support/pastes.ts';

type Api = Awaited<ReturnType<typeof testApi>>;

describe('GET /orders/{id}?contactInfo=', () => {
  const track = (api: Api, id: string, contact?: string, token?: string) =>
    api.ask(`/orders/${id}${contact === undefined ? '' : `?contactInfo=${encodeURIComponent(contact)}`}`, {
      ...(token === undefined ? {} : { token }),
    });

  async function ordered(given: Parameters<typeof limitedApi>[0] = {}) {
    const { token, email, ...api } = await withCustomer(limitedApi(given), 'Asha@example.com');
    return { api, token, email, order: await api.placeOrder(token, { [MANGO]: 1 }) };
  }

  it('locks an order for 15 minutes after five wrong contacts of a line, and not for other lines', async () => {
    const { api, order, email } = await ordered();
    for (let guess = 0; guess < 5; guess += 1) await track(api, order.id, `91111${guess}0000`);
    const refused = await track(api, order.id, email);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    const path = `/orders/${order.id}?contactInfo=${email}`;
    expect((await api.ask(path, { from: '203.0.113.8' })).status).toBe(200);
    api.pass(15 * 60_000);
    expect((await track(api, order.id, email)).status).toBe(200);
  });

  it('does not limit tracking with the right contact', async () => {
    const { api, order, email } = await ordered();
    for (let look = 0; look < 60; look += 1) expect((await track(api, order.id, email)).status).toBe(200);
  });

  it.each(Object.entries(CODE_PASTES))(
    'finds an order whose number and contact were pasted %s',
    async (_, paste) => {
      const { api, order, email } = await ordered();
      for (const written of [`#${order.id.toUpperCase()}`, `Order ID: ${order.id}.`])
        for (const contact of [email, order.shippingAddress.phone, `Ph: ${order.shippingAddress.phone}`])
          expect((await track(api, encodeURIComponent(paste(written)), paste(contact))).status).toBe(200);
    },
  );

  it('finds an order by its number, however it is written', async () => {
    const { api, order, email } = await ordered();
    const { id, number = '' } = order;
    expect(number).toMatch(/^FF-1001-[0-9A-HJKMNP-TV-Z]{4}$/);
    const suffix = number.slice(-4);
    const written = [number, number.toLowerCase(), `1001 ${suffix}`, `Order FF–1001–${suffix}.`];
    for (const text of [
      ...written,
      `\u200eFF-१००१-${suffix}`,
      number.replaceAll('0', 'o').replaceAll('1', 'l'),
    ]) {
      const { status, json } = await track(api, encodeURIComponent(text), email);
      expect([text, status, json]).toMatchObject([text, 200, { id, number }]);
    }
  });

  it('finds a number without its suffix in the session of its customer alone', async () => {
    const { api, order, email, token } = await ordered();
    const found = await track(api, 'FF-1001', email, token);
    expect([found.status, found.json]).toMatchObject([200, { id: order.id }]);
    const stranger = await api.customer();
    for (const session of [undefined, stranger.token]) {
      const { status, text } = await track(api, 'FF-1001', email, session);
      expect([status, text]).toEqual([404, '{"error":"Order not found or access denied"}']);
    }
  });

  it('finds no order by its number with other signs, nor does its customer', async () => {
    const { api, order, email, token } = await ordered();
    const [kept, last] = [order.number?.slice(0, -1), order.number?.at(-1)];
    const other = `${kept}${last === '7' ? '8' : '7'}`;
    for (const session of [undefined, token])
      expect((await track(api, other, email, session)).status).toBe(404);
  });

  it('shows by no answer whether a number has an order', async () => {
    const { api } = await ordered();
    const answers = async (from: string, ...written: readonly string[]) => {
      const found: unknown[] = [];
      for (const number of written) {
        const { status, text, headers } = await api.ask(`/orders/${number}?contactInfo=9111100000`, { from });
        found.push([status, text, headers.get('retry-after')]);
      }
      return found;
    };
    const ofOrder = await answers('192.0.2.1', 'FF-1001', 'ff1001', '1001', 'F 1001', '1001', 'FF-1001');
    expect(await answers('192.0.2.2', 'FF-1002', 'ff1002', '1002', 'F 1002', '1002', 'FF-1002')).toEqual(
      ofOrder,
    );
    expect(ofOrder.at(-1)).toEqual([429, expect.any(String), '900']);
  });

  it('takes five wrong numbers an hour of one caller for a contact, and finds its order from another line', async () => {
    const { api, order, email, token } = await ordered();
    const { id, number = '' } = order;
    const ask = async (from: string, name: string, more = {}, contact = email) =>
      (await api.ask(`/orders/${name}?contactInfo=${encodeURIComponent(contact)}`, { from, ...more })).status;
    const guess = async (from: string) => {
      const statuses: number[] = [];
      for (let count = 0; count < 6; count += 1)
        statuses.push(
          await ask(from, `FF-${1_002 + count}-7K3Q`, {}, count % 2 ? email : email.toUpperCase()),
        );
      return statuses;
    };
    for (let caller = 0; caller < 5; caller += 1)
      expect(await guess(`192.0.${caller}.1`)).toEqual([404, 404, 404, 404, 404, 429]);
    expect([await ask('192.0.0.1', number), await ask('192.0.0.1', number, { token })]).toEqual([429, 200]);
    expect([await ask('192.0.0.1', id), await ask('198.51.100.1', number)]).toEqual([200, 200]);
    api.pass(60 * 60_000);
    expect(await ask('192.0.0.1', number)).toBe(200);
  });

  it('limits how often a line sees one order, and no other line', async () => {
    const { api, order, email } = await ordered({ counts: countsWith('tracked', { guess: 2 }) });
    const look = async (from: string) =>
      (await api.ask(`/orders/${order.id}?contactInfo=${email}`, { from })).status;
    const first = '192.0.2.1';
    expect([await look(first), await look(first), await look(first)]).toEqual([200, 200, 429]);
    expect(await look('198.51.100.1')).toBe(200);
  });

  it('blocks a caller who guesses order numbers, and finds none of 1,000', async () => {
    const { api } = await ordered({ counts: countsWith('tracking', { line: 50 }) });
    const statuses = new Map<number, number>();
    for (let guess = 0; guess < 1_000; guess += 1) {
      const { status } = await track(api, crypto.randomUUID(), 'asha@example.com');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [404, 50],
      [429, 950],
    ]);
  });

  it('does not count requests for a locked order against the caller’s address', async () => {
    const { api, order } = await ordered();
    for (let guess = 0; guess < 5; guess += 1) await track(api, order.id, `91111${guess}0000`);
    for (let guess = 0; guess < 60; guess += 1) {
      expect((await track(api, order.id, 'asha@example.com')).status).toBe(429);
    }
    expect((await track(api, crypto.randomUUID(), 'asha@example.com')).status).toBe(404);
  });

  it.each(['x'.repeat(16_000), 'ffffffff-0000-4000-8000-00000000000g', '%00', '__proto__'])(
    'answers the same 404 for a malformed order number, without counting it: %#',
    async (id) => {
      const { api } = await ordered({ counts: countsWith('tracking', { line: 50 }) });
      for (let guess = 0; guess < 6; guess += 1) {
        const { status, text } = await api.ask(`/orders/${id}?contactInfo=x`, { from: `192.0.2.${guess}` });
        expect([status, text]).toEqual([404, '{"error":"Order not found or access denied"}']);
      }
      const statuses = new Set<number>();
      for (let guess = 0; guess < 51; guess += 1) statuses.add((await track(api, id, 'x')).status);
      expect([...statuses]).toEqual([404, 429]);
    },
  );
});
