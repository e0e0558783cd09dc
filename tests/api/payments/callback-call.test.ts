import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as CURRENCY from '#domain/currency.ts';
import { plainAmount, toRupees } from '#domain/money.ts';
import { callbackRequest } from '#scripts/api/payments/providers/sandbox/callback.ts';
import { ORDER_TOTAL, SECRET } from '#tests/api/support/api.ts';
import { CardAction, METHODS, shopper } from '#tests/api/support/payments.ts';
import { countRow } from '#tests/api/support/rows.ts';

describe('the gateway’s callback', () => {
  it('[spec 7.payments.4] [fault 77] paid turns Pending into Processing; 100 replays change nothing more', async () => {
    const { qrReference, report, status, lines, states } = await shopper();
    const reference = await qrReference();
    for (let replay = 0; replay < 100; replay += 1) expect((await report(reference)).status).toBe(200);
    expect([await status(), await states()]).toEqual([1, [{ state: 'paid' }]]);
    expect(lines.filter(({ event }) => event === 'payment changed')).toHaveLength(1);
  });

  it('[fault 77] a missing or wrong signature is a 401 and changes nothing', async () => {
    const { ask, qrReference, report, status, now } = await shopper();
    const reference = await qrReference();
    const body = JSON.stringify({
      reference,
      outcome: 'succeeded',
      amount: plainAmount(ORDER_TOTAL),
      currency: CURRENCY.code,
    });
    const seconds = String(Math.floor(now() / 1_000));
    const json = { 'Content-Type': 'application/json' };
    for (const headers of [
      json,
      { ...json, 'Gateway-Timestamp': seconds },
      { ...json, 'Gateway-Timestamp': seconds, 'Gateway-Signature': '' },
      { ...json, 'Gateway-Timestamp': seconds, 'Gateway-Signature': '0'.repeat(64) },
      { ...json, 'Gateway-Timestamp': 'now', 'Gateway-Signature': '0'.repeat(64) },
    ]) {
      expect((await ask('/payments/callback', { body, headers })).status).toBe(401);
    }
    expect((await report(reference, { secret: 'another secret' })).status).toBe(401);
    expect(await status()).toBe(0);
  });

  it('[fault 77] a changed body or time is a 401', async () => {
    const { ask, qrReference, status, now } = await shopper();
    const reference = await qrReference();
    const seconds = Math.floor(now() / 1_000);
    const signed = callbackRequest(
      SECRET,
      { reference, outcome: 'failed', amount: plainAmount(ORDER_TOTAL), currency: CURRENCY.code },
      seconds,
    );
    const headers = v.parse(v.record(v.string(), v.string()), signed.headers);
    const changed = String(signed.body).replace('failed', 'succeeded');
    expect((await ask('/payments/callback', { body: changed, headers })).status).toBe(401);
    const later = { ...headers, 'Gateway-Timestamp': String(seconds + 1) };
    expect((await ask('/payments/callback', { body: String(signed.body), headers: later })).status).toBe(401);
    expect(await status()).toBe(0);
  });

  it('[fault 77] older than 300 s, or from the future, is a 400', async () => {
    const { qrReference, report, status } = await shopper();
    const reference = await qrReference();
    expect((await report(reference, { age: 301 })).status).toBe(400);
    expect((await report(reference, { age: -301 })).status).toBe(400);
    expect(await status()).toBe(0);
    expect((await report(reference, { age: 300 })).status).toBe(200);
    expect(await status()).toBe(1);
  });

  it.each([
    ['one paisa less', { amount: plainAmount(ORDER_TOTAL - 1) }],
    ['an amount without paise', { amount: String(toRupees(ORDER_TOTAL)) }],
    ['no amount', { amount: undefined }],
    ['another currency', { currency: 'USD' }],
    ['a currency of five letters', { currency: 'RUPEE' }],
  ])('[fault 77] %s is flagged, not paid, and stays so', async (_what, wrong) => {
    const { qrReference, reportBody, report, status, states, lines } = await shopper();
    const reference = await qrReference();
    const right = {
      reference,
      outcome: 'succeeded',
      amount: plainAmount(ORDER_TOTAL),
      currency: CURRENCY.code,
    };
    const { status: answered, json } = await reportBody(JSON.stringify({ ...right, ...wrong }));
    expect([answered, json]).toEqual([200, { received: true }]);
    expect([await status(), await states()]).toEqual([0, [{ state: 'flagged' }]]);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', event: 'payment changed' }));
    await report(reference);
    expect([await status(), await states()]).toEqual([0, [{ state: 'flagged' }]]);
  });

  it.each(['"amount":"1.00","currency":"INR"', '"amount":"1","currency":"RUPEE"'])(
    '[fault 77] an unknown reference with %s is a 200, and logged',
    async (money) => {
      const { reportBody, lines } = await shopper();
      const body = `{"reference":"FFUNKNOWN","outcome":"succeeded",${money}}`;
      expect((await reportBody(body)).status).toBe(200);
      expect(lines).toContainEqual(
        expect.objectContaining({ level: 'warn', event: 'payment report for an unknown reference' }),
      );
    },
  );

  it('[fault 76] paid in two tabs at once is captured once, the other is owed back', async () => {
    const { qrReference, pay, report, status, states } = await shopper();
    const first = await qrReference();
    const { action } = v.parse(CardAction, await pay(METHODS.card));
    await Promise.all([report(first), report(action.formParams.data.reference)]);
    expect(await status()).toBe(1);
    expect((await states()).map(({ state }) => state).sort()).toEqual(['paid', 'refund_due']);
  });

  it.each([
    ['x', 400],
    ['{}', 422],
    ['{"reference":"r","outcome":"maybe","amount":"1.00","currency":"INR"}', 422],
  ])('a signed body of %s is a %i', async (body, status) => {
    const { reportBody } = await shopper();
    expect((await reportBody(body)).status).toBe(status);
  });

  it('[fault 76] the database itself keeps a second capture out', async () => {
    const { qrReference, pay, db } = await shopper();
    await qrReference();
    await pay(METHODS.app);
    await expect(
      db.write((transaction) => transaction.run("UPDATE payments SET state = 'paid'")),
    ).rejects.toThrow(/unique/i);
    expect(await db.get(countRow, "SELECT count(*) AS count FROM payments WHERE state = 'paid'")).toEqual({
      count: 0,
    });
  });
});
