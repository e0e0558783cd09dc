import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { ReactNode } from 'react';
import { formatPaise, plainAmount, readAmount } from '#domain/money.ts';
import { htmlDocument } from '#server/http/documents.ts';
import { Refusal } from '#server/http/refusal.ts';
import { settlePayment } from '#server/payments/settle.ts';
import { findAttempt } from '#server/payments/stored-attempts.ts';
import { RETURN_PATH } from '#server/payments/webhooks.ts';
import type { Route } from '#server/services/call.ts';
import type { Env, Services } from '#server/services/services.ts';
import { CARD_PATH, PAYEE_ADDRESS } from './sandbox.ts';

const UPI_PATH = '/gateway/upi';

/** The address of the page that replaces the shopper's UPI app. */
export const upiPage = (services: Services, { reference }: { readonly reference: string }): string =>
  `${services.apiOrigin}${UPI_PATH}?tr=${encodeURIComponent(reference)}`;

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100dvh; place-items: center; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; width: min(26rem, 100%); padding: 1.5rem; }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
.amount { font-size: 2.25rem; font-weight: 700; margin: 0; }
form { display: grid; gap: .75rem; margin-top: 1.5rem; }
button { min-height: 3rem; border-radius: .75rem; border: 2px solid #1b4332; font: inherit; font-weight: 600; cursor: pointer; }
button[value=succeeded] { background: #1b4332; color: #fff; }
button[value=failed] { background: #fff; color: #8a1c1c; border-color: #8a1c1c; }
:focus-visible { outline: 3px solid #f4a300; outline-offset: 2px; }
`;

/** A page without scripts. Its form may only be sent to the gateway itself, which may then redirect to the shop. */
async function answer(
  context: Context<Env>,
  { settings }: Services,
  title: string,
  content: ReactNode,
): Promise<Response> {
  const style = createHash('sha256').update(STYLE).digest('base64');
  const page = htmlDocument(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <style>{STYLE}</style>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          <p>Test payments: no money moves here.</p>
          {content}
        </main>
      </body>
    </html>,
  );
  return context.html(page, 200, {
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${style}'`,
      `form-action 'self' ${settings.siteOrigins.join(' ')}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
  });
}

/**
 * Reads what to pay from a UPI link, or from the storefront's form. An app pays what its link says, so a tester may
 * change amount and currency there.
 * @throws Refusal 404
 */
async function transferOf(services: Services, fields: URLSearchParams) {
  const payment = await findAttempt(services.db, fields.get('tr') ?? fields.get('data[reference]') ?? '');
  const amount = fields.get('am') ?? (payment && plainAmount(payment.amountPaise)) ?? '';
  const currency = fields.get('cu') ?? payment?.currency ?? '';
  const amountPaise = readAmount(amount);
  if (payment?.provider !== 'sandbox' || amountPaise === undefined || currency.length !== 3)
    throw new Refusal(404, 'There is no such payment');
  const outcome = fields.get('outcome') === 'succeeded' ? 'succeeded' : 'failed';
  return { reference: payment.reference, amount, report: { outcome, amountPaise, currency } } as const;
}

async function showChoice(context: Context<Env>, services: Services): Promise<Response> {
  const { path, method } = context.req;
  const sent = method === 'POST' ? context.get('body') : context.req.query();
  const { reference, amount, report } = await transferOf(services, new URLSearchParams(sent));
  const hidden = Object.entries({ tr: reference, am: amount, cu: report.currency }).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
  return answer(
    context,
    services,
    'Sandbox payment',
    <>
      <p>Decide how this payment ends.</p>
      <p className="amount">{formatPaise(report.amountPaise)}</p>
      <p>
        to {PAYEE_ADDRESS}
        <br />
        Reference {reference}
      </p>
      <form method="post" action={`${path}/result`}>
        {hidden}
        <button type="submit" name="outcome" value="succeeded">
          Succeed
        </button>
        <button type="submit" name="outcome" value="failed">
          Fail
        </button>
      </form>
    </>,
  );
}

const ENDINGS = {
  succeeded: ['Payment made', 'You can go back to the shop now.'],
  failed: ['Payment failed', 'Nothing was paid. You can try again in the shop.'],
} as const;

/** A card's page leads back to the shop, as a bank does. The page of an app stays. */
async function end(context: Context<Env>, services: Services): Promise<Response> {
  const { reference, report } = await transferOf(services, new URLSearchParams(context.get('body')));
  await settlePayment(services, 'sandbox', reference, report);
  if (context.req.path.startsWith(CARD_PATH))
    return context.redirect(`${services.apiOrigin}${RETURN_PATH}/sandbox/${reference}`, 303);
  const [title, text] = ENDINGS[report.outcome];
  return answer(context, services, title, <p role="status">{text}</p>);
}

/** Present only if the sandbox is among the payment providers. */
export const SANDBOX_ROUTES: readonly Route[] = [
  { method: 'POST', path: CARD_PATH, handle: showChoice },
  { method: 'POST', path: `${CARD_PATH}/result`, handle: end },
  { method: 'GET', path: UPI_PATH, handle: showChoice },
  { method: 'POST', path: `${UPI_PATH}/result`, handle: end },
];
