import { vi } from 'vitest';

type Answer = () => Response | Promise<Response>;

/** Answers by 'METHOD path', and records the requests. Any other request gets a 404. */
export function fakeApi(answers: Record<string, Answer>) {
  const requests: { call: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (...called: ConstructorParameters<typeof Request>) => {
    const request = new Request(...called);
    const path = new URL(request.url).pathname.replace('/api/v1/', '');
    const call = `${request.method} ${path}`;
    const text = await request.text();
    requests.push({ call, body: text === '' ? undefined : JSON.parse(text) });
    const answer = answers[call] ?? (() => Response.json({ error: 'Not found' }, { status: 404 }));
    const response = await answer();
    request.signal.throwIfAborted();
    return response;
  });
  return { requests, calls: () => requests.map(({ call }) => call) };
}

/** An answer that waits for `respond`. */
export function deferred() {
  const { promise, resolve } = Promise.withResolvers<Response>();
  return { answer: () => promise, respond: resolve };
}

export const orderDto = (change: object = {}) => ({
  id: 'order-1',
  status: 0,
  createdAt: '2026-11-12T08:00:00Z',
  items: [{ id: 'mango', productTitle: 'Alphonso Mango', quantity: 2, price: 449.5 }],
  shippingAddress: { address: '12 MG Road', city: 'Pune', state: 'Maharashtra', postalCode: '411001' },
  ...change,
});
