import { Hono } from 'hono';
import { html } from 'hono/html';
import { ExplainedError, runProgram } from '#server/process/explained-error.ts';
import { startCashfree } from './cashfree.ts';
import { type FakeOptions, type FakeProvider, listen } from './fake-provider.ts';
import { startRazorpay } from './razorpay.ts';

/** By the name of the provider. */
export const FAKES: Readonly<Record<string, (options: FakeOptions) => Promise<FakeProvider>>> = {
  razorpay: startRazorpay,
  cashfree: startCashfree,
};

/**
 * Starts a fake with pages on which a tester ends payments.
 * @param api returns the address of the shop's API, for webhooks
 */
export async function startWithPages(name: string, api: () => string) {
  const start = FAKES[name];
  if (!start)
    throw new ExplainedError(`There is no fake of '${name}'. Choose ${Object.keys(FAKES).join(' or ')}.`);
  const app = new Hono();
  const pages = await listen(app);
  const provider = await start({ pages: `${pages.url}/pay/` });

  const page = (references: readonly string[]) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>A fake of ${name}</title>
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
      await fetch(`${api()}/api/v1/payments/callback/${name}`, { method: 'POST', headers, body });
    return context.redirect(provider.returnUrl(reference) || '/', 303);
  });
  return {
    /** The page of the open payments. */
    url: pages.url,
    provider,
    close: async () => void (await Promise.all([pages.close(), provider.close()])),
  };
}

export type FakeWithPages = Awaited<ReturnType<typeof startWithPages>>;

/**
 * For a demo without an account: `npm start -- --provider=cashfree` starts this program. It prints the settings for the
 * shop as one line of JSON.
 */
if (import.meta.main)
  runProgram(async () => {
    const [name = '', api = ''] = process.argv.slice(2);
    const { url, provider } = await startWithPages(name, () => api);
    process.stdout.write(`${JSON.stringify({ url, environment: provider.environment })}\n`);
    process.on('SIGTERM', () => process.exit(0));
  });
