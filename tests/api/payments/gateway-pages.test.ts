import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { OffersReader } from '#api/schema/offers.ts';
import { plainAmount } from '#domain/money.ts';
import { SANDBOX_ROUTES } from '#scripts/api/app/calls.ts';
import { ORDER_TOTAL, SITE } from '#tests/api/support/api.ts';
import { CardAction, METHODS, shopper } from '#tests/api/support/payments.ts';
import { anyRow } from '#tests/api/support/rows.ts';

describe('the gateway’s pages', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

  /** The fields that the page's form would post, but for the button. */
  const hidden = (html: string): URLSearchParams =>
    new URLSearchParams(
      [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
        ([, name = '', value = '']) => [
          name,
          value.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
        ],
      ),
    );

  /** As the storefront posts it: type, url and data[…]. */
  async function openGateway(
    shop: Awaited<ReturnType<typeof shopper>>,
    headers: Record<string, string> = {},
  ) {
    const { action } = v.parse(CardAction, await shop.pay(METHODS.card, headers));
    const { type, url, data } = action.formParams;
    const fields = new URLSearchParams({ type, url });
    for (const [name, value] of Object.entries(data)) fields.set(`data[${name}]`, String(value));
    const path = new URL(action.redirectUrl).pathname;
    return { fields, path, page: await shop.ask(path, { body: fields.toString(), headers: form }) };
  }

  async function decide(shop: Awaited<ReturnType<typeof shopper>>, html: string, outcome: string) {
    const fields = hidden(html);
    fields.set('outcome', outcome);
    return shop.ask('/gateway/pay/result', { body: fields.toString(), headers: form });
  }

  it('fail leaves the order and returns to /payment, which says so; a later succeed pays', async () => {
    const shop = await shopper();
    const { page } = await openGateway(shop, { Origin: 'https://evil.example' });
    const answer = await decide(shop, page.text, 'failed');
    expect(answer.headers.get('location')).toBe(`${SITE}/payment?orderId=${shop.order.id}&result=failed`);
    expect(await shop.status()).toBe(0);
    await decide(shop, page.text, 'succeeded');
    expect(await shop.status()).toBe(1);
  });

  it('[fault 77] a form that was changed on its way is refused', async () => {
    const shop = await shopper();
    const { fields, path, page } = await openGateway(shop);
    for (const [name, value] of [
      ['data[amount]', '1.00'],
      ['data[successUrl]', 'https://evil.example'],
      ['data[signature]', ''],
    ] as const) {
      const changed = new URLSearchParams(fields);
      changed.set(name, value);
      expect((await shop.ask(path, { body: changed.toString(), headers: form })).status).toBe(400);
    }
    const cheap = page.text.replace(`value="${plainAmount(ORDER_TOTAL)}"`, 'value="1.00"');
    expect((await decide(shop, cheap, 'succeeded')).status).toBe(400);
    expect(await shop.status()).toBe(0);
  });

  it('[fault 47] shows what it is given as text, under a policy that runs nothing', async () => {
    const shop = await shopper();
    const { page } = await openGateway(shop);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${SITE}`);
    expect(page.text).not.toMatch(/<script|style=|onclick/);
  });

  it('[fault 120] the shop is told that payments are tests, as long as they are', async () => {
    const offers = async (paymentProviders: readonly string[]) =>
      v.parse(OffersReader, (await (await shopper({ paymentProviders })).ask('/storeInfo')).json);
    expect(await offers(['sandbox'])).toContain('testPayments');
    expect(await offers(['cod'])).not.toContain('testPayments');
  });

  it('[fault 120] without the sandbox, nothing that it signs or shows is given away, and nothing is paid', async () => {
    const shop = await shopper({ paymentProviders: [] });
    const { token } = shop;
    expect((await shop.ask('/payments/fields', { token })).json).toEqual({ fields: [] });
    for (const method of Object.values(METHODS)) {
      expect(await shop.pay(method)).toEqual({
        success: false,
        error: 'This shop takes no payments online at the moment.',
      });
    }
    expect(JSON.stringify(shop.lines)).not.toContain('gateway/upi');
    for (const { method, path } of SANDBOX_ROUTES) {
      expect((await shop.ask(path, method === 'POST' ? { body: '', headers: form } : {})).status).toBe(404);
    }
    expect((await shop.report('FF1')).status, 'a report that its secret signs').toBe(404);
    expect([await shop.status(), await shop.states()]).toEqual([0, []]);
  });

  it('[fault 43] no value that the payment form does not ask for is stored', async () => {
    const { submit, db } = await shopper();
    await submit({ method: METHODS.qr, card: '482910', gstin: '27ABCDE1234F1Z5' });
    for (const table of ['payments', 'orders'])
      expect(JSON.stringify(await db.all(anyRow, `SELECT * FROM ${table}`))).not.toMatch(/482910|27ABCDE/);
  });
});
