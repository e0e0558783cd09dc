import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { FakeProvider, Webhook } from '#tests/support/providers/fake-provider.ts';

/** A header with a signature, and how the same is made with another secret. */
const SIGNED: Readonly<Record<string, (body: string) => Record<string, string>>> = {
  razorpay: (body) => ({
    'X-Razorpay-Signature': createHmac('sha256', 'another secret').update(body).digest('hex'),
  }),
  cashfree: (body) => {
    const timestamp = String(Date.now());
    const signature = createHmac('sha256', 'another secret')
      .update(timestamp + body)
      .digest('base64');
    return { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature };
  },
};

type Change = (webhook: Webhook, at: number, sign: string) => Webhook;

const changeHeaders = (webhook: Webhook, change: (value: string) => string): Webhook => ({
  ...webhook,
  headers: Object.fromEntries(
    Object.entries(webhook.headers).map(([name, value]) => [
      name,
      /signature/i.test(name) ? change(value) : value,
    ]),
  ),
});

/** @param name the provider's @param open a payment that nobody has paid */
const changesFor = (name: string, open: string): readonly Change[] => [
  // Cut, or with a sign more, less or otherwise.
  ({ headers, body }, at) => ({ headers, body: body.slice(0, at % body.length) }),
  ({ headers, body }, at, sign) => ({
    headers,
    body: body.slice(0, at % body.length) + sign + body.slice(at % body.length),
  }),
  ({ headers, body }, at) => ({
    headers,
    body: body.slice(0, at % body.length) + body.slice((at % body.length) + 1),
  }),
  // Signed with another secret, by another provider, not at all, or with a signature that was changed.
  ({ headers, body }) => ({ headers: { ...headers, ...SIGNED[name]?.(body) }, body }),
  ({ body }) => ({ headers: { ...SIGNED[name === 'razorpay' ? 'cashfree' : 'razorpay']?.(body) }, body }),
  ({ body }) => ({ headers: { 'Content-Type': 'application/json' }, body }),
  (webhook, at) => changeHeaders(webhook, (value) => value.slice(0, at % value.length)),
  (webhook, at) => changeHeaders(webhook, (value) => (at % 2 ? value.toUpperCase() : `${value}00`)),
  (webhook) => changeHeaders(webhook, () => ''),
  // Of a payment that is paid, for one that is not.
  ({ headers, body }) => ({ headers, body: body.replace(/FF[\dA-F]{30}/g, open) }),
  ({ headers, body }) => ({
    headers: { ...headers, ...SIGNED[name]?.(body) },
    body: body.replace(/FF[\dA-F]{30}/g, open),
  }),
  ({ headers }, at, sign) => ({ headers, body: sign.repeat(at * 50) }),
];

/** Makes up webhooks that the provider did not send. @param genuine what it did send */
export function forge(
  provider: FakeProvider,
  genuine: readonly Webhook[],
  open: string,
  count: number,
  seed: number,
): Webhook[] {
  const changes = changesFor(provider.name, open);
  const made = fc.sample(
    fc.tuple(
      fc.nat(changes.length - 1),
      fc.nat(genuine.length - 1),
      fc.nat(2_000),
      fc.constantFrom(' ', '0', '"', '}', '\u0000', 'é', '😀'),
    ),
    { seed, numRuns: count },
  );
  return made.flatMap(([change, which, at, sign]) => {
    const webhook = genuine[which];
    const forged = webhook && changes[change]?.(webhook, at, sign);
    return forged && JSON.stringify(forged) !== JSON.stringify(webhook) ? [forged] : [];
  });
}
