import type { Context } from 'hono';
import * as v from 'valibot';
import { readAmount } from '#domain/money.ts';
import { Refusal, unauthorized } from '#scripts/api/http/refusal.ts';
import {
  CallbackSchema,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
} from '#scripts/api/payments/providers/sandbox/callback.ts';
import { defineCall } from '#scripts/api/shop/call.ts';
import type { Env, Shop } from '#scripts/api/shop/shop.ts';
import { gatewaySecret, isSignedBy } from './providers/sandbox/callback.ts';
import { settlePayment } from './settle.ts';

/** The longest time between a report's timestamp and now, in seconds. */
const REPORT_MAX_AGE = 300;

const SignatureSchema = v.object({
  [TIMESTAMP_HEADER]: v.pipe(
    v.string(),
    v.regex(/^\d{1,12}$/),
    v.description('Seconds since 1970, at most 300 old.'),
  ),
  [SIGNATURE_HEADER]: v.pipe(
    v.string(),
    v.description('HMAC-SHA256 of the timestamp, a dot and the body, in hexadecimal.'),
  ),
});

/** Checks that the gateway signed the request, and did so recently. @throws Refusal 401 or 400 if it did not */
async function requireSignature(context: Context<Env>, shop: Shop): Promise<void> {
  const signed = v.safeParse(SignatureSchema, {
    [TIMESTAMP_HEADER]: context.req.header(TIMESTAMP_HEADER),
    [SIGNATURE_HEADER]: context.req.header(SIGNATURE_HEADER),
  });
  if (!signed.success) throw unauthorized();
  const { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature } = signed.output;
  if (!isSignedBy(gatewaySecret(shop), `${timestamp}.${context.get('body')}`, signature))
    throw unauthorized();
  if (Math.abs(shop.clock() / 1_000 - Number(timestamp)) > REPORT_MAX_AGE) {
    throw new Refusal(400, 'The report is too old');
  }
}

/** Receives the gateway's signed report of how a payment ended. */
export const receiveCallbackCall = defineCall({
  method: 'POST',
  path: '/payments/callback',
  access: 'public',
  operationId: 'reportPayment',
  tag: 'Payments',
  summary: 'Report how a payment ended',
  description:
    'For the sandbox gateway, which signs its report; not for the shop. Only where the sandbox takes the payments.',
  request: v.object({ headers: SignatureSchema, body: CallbackSchema }),
  status: 200,
  answer: v.object({ received: v.boolean() }),
  failures: [401, 422, 503],
  authorize: requireSignature,
  refuse: () => new Refusal(422, 'The report cannot be read'),
  async handle(context, shop, { body: { reference, outcome, amount, currency } }) {
    await settlePayment(shop, 'sandbox', reference, { outcome, amountPaise: readAmount(amount), currency });
    return context.json({ received: true });
  },
});
