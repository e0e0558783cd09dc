import { html } from 'hono/html';
import * as v from 'valibot';
import { MetaSchema } from '#server/db/meta.ts';
import { Refusal } from '#server/http/refusal.ts';
import { goOn } from '#server/admin/change.ts';
import { hiddenInputs } from '#server/admin/forms/draw.ts';
import type { OfficeContext, OfficePage } from '#server/admin/page.ts';
import { WAYS } from '#server/admin/paths.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { time } from '#server/admin/views/pieces.ts';
import { ProviderTrouble, type TroubleKind } from '#server/payments/providers/call-provider.ts';
import type { PaymentProvider } from '#server/payments/providers/provider.ts';
import { providersOf } from '#server/payments/providers/table.ts';
import { recentTroubles } from '#server/payments/trouble.ts';
import { seenKey, WEBHOOK_PATH } from '#server/payments/webhooks.ts';
import type { Shop } from '#server/services/shop.ts';

/** What a provider in trouble does, after its name. */
const TROUBLES: Readonly<Record<TroubleKind, string>> = {
  unreachable: 'does not answer',
  busy: 'asks for fewer requests',
  'wrong-key': 'refuses the key',
  unreadable: 'answers with something else',
  refused: 'refused the question',
};

/** The providers that were in trouble within the last hour. Nothing where there are none. */
export async function drawTroubles(shop: Shop): Promise<Content> {
  const items = (await recentTroubles(shop)).map(
    ({ title, kind, at }) =>
      html`<li><p><strong>${title} ${TROUBLES[kind]}</strong>, last seen ${time(at)}.</p></li>`,
  );
  if (items.length === 0) return '';
  return html`<section class="notice" aria-labelledby="troubles"><h2 id="troubles">Trouble with a way to pay</h2>
<ul class="matters">${items}</ul><p>Shoppers read that they can choose another way. Nothing is lost: the shop asks again. <a href="${WAYS}">Ways to pay</a></p></section>`;
}

/** When a provider's last signed webhook came; undefined where none has come. */
async function lastWebhook(shop: Shop, name: string): Promise<number | undefined> {
  const row = await shop.db.get(MetaSchema, 'SELECT value FROM meta WHERE name = ?', seenKey(name));
  return row && v.is(v.pipe(v.string(), v.digits()), row.value) ? Number(row.value) : undefined;
}

async function drawProvider(shop: Shop, name: string, provider: PaymentProvider): Promise<Html> {
  const { title, isTest, keys = [], todo = '', rules } = provider;
  const { cashOnDelivery } = await shop.catalogue();
  const seen = await lastWebhook(shop, name);
  const keyLines = keys.map(({ label, end }) => html`<li>${label}: set, ends in <b>${end}</b></li>`);
  const webhook: Content =
    keys.length === 0
      ? ''
      : html`<p>Its webhooks go to <code>${shop.apiOrigin}${WEBHOOK_PATH}/${name}</code>.
${seen === undefined ? 'None has come yet.' : html`The last one came ${time(seen)}.`}</p>
${todo ? html`<p>Still to do at the provider: ${todo}</p>` : ''}<form method="post" action="${WAYS}/${name}">${hiddenInputs(shop)}<button class="quiet">Try it</button></form>`;
  return html`<section><h2>${title}${isTest ? ' (test payments)' : ''}</h2>
<ul>${keyLines}</ul>${rules ? html`<p>${rules(cashOnDelivery)}</p>` : ''}${webhook}</section>`;
}

async function show(context: OfficeContext, shop: Shop): Promise<Response> {
  const providers = [...providersOf(shop)];
  const drawn = await Promise.all(providers.map(([name, provider]) => drawProvider(shop, name, provider)));
  const none = html`<p>The shop takes no payments. Set PAYMENT_PROVIDERS.</p>`;
  return showPage(context, { title: 'Ways to pay', content: html`${drawn.length === 0 ? none : drawn}` });
}

/** Asks the provider something harmless. It changes nothing, so that it needs no number. */
async function tryIt(context: OfficeContext, shop: Shop): Promise<Response> {
  const provider = providersOf(shop).get(context.req.param('provider') ?? '');
  if (!provider) throw new Refusal(404, 'There is no such way to pay.');
  const problem = await provider.check().catch((error: unknown) => {
    if (error instanceof ProviderTrouble) return TROUBLES[error.kind];
    throw error;
  });
  const message = problem === undefined ? 'answers, and takes the keys.' : `does not work: it ${problem}`;
  return goOn(context, shop, { to: WAYS, message: `${provider.title} ${message}` });
}

export const WAYS_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/ways', access: 'money', handle: show },
  { method: 'POST', path: '/ways/:provider', access: 'money', handle: tryIt },
];
