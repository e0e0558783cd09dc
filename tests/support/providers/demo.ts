/**
 * Lets somebody try the shop with a provider of payments, without an account: `npm start -- --provider=cashfree` starts this
 * program. It prints the settings of the shop as one line of JSON, and its page lists the payments that wait for an end.
 */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { startCashfree } from './cashfree.ts';
import { type FakeOptions, type FakeProvider, listen } from './fake-provider.ts';
import { startRazorpay } from './razorpay.ts';

const FAKES: Readonly<Record<string, (options: FakeOptions) => Promise<FakeProvider>>> = {
  cashfree: startCashfree,
  razorpay: startRazorpay,
};

const [name = '', api = ''] = process.argv.slice(2);
const start = FAKES[name];
if (!start) {
  process.stderr.write(`There is no fake of '${name}'. Choose ${Object.keys(FAKES).join(' or ')}.\n`);
  process.exit(1);
}

const app = new Hono();
const { url } = await listen(app);
const provider = await start({ pages: `${url}/pay/` });

const page = (references: readonly string[]) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A fake of ${name}</title>
<style>body { font: 1.125rem/1.5 system-ui; max-width: 30rem; margin: 2rem auto; padding: 0 1rem } button { font: inherit; min-height: 3rem; padding: 0 1.5rem }</style></head>
<body><h1>A fake of ${name}</h1><p>No money moves here. Say how a payment ends.</p>
${references.map(
  (reference) => html`<form method="post" action="/pay/${reference}"><p>${reference}</p>
<p><button name="outcome" value="succeeded">Pay</button> <button name="outcome" value="failed">Fail</button></p></form>`,
)}</body></html>`;

app.get('/', (context) =>
  context.html(page(provider.references().filter((reference) => provider.paid(reference).length === 0))),
);
app.get('/pay/:reference', (context) => context.html(page([context.req.param('reference')])));
app.post('/pay/:reference', async (context) => {
  const reference = context.req.param('reference');
  const { outcome } = await context.req.parseBody();
  const ending = { outcome: outcome === 'succeeded' ? 'succeeded' : 'failed' } as const;
  for (const { headers, body } of provider.end(reference, ending, Date.now()))
    await fetch(`${api}/api/v1/payments/callback/${name}`, { method: 'POST', headers, body });
  return context.redirect(provider.returnUrl(reference) || '/', 303);
});

process.stdout.write(`${JSON.stringify({ url, environment: provider.environment })}\n`);
process.on('SIGTERM', () => process.exit(0));
