import { html } from 'hono/html';
import * as v from 'valibot';
import { redirectWithMessage } from '#server/admin/change.ts';
import { hiddenInputs } from '#server/admin/forms/render.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { PAYMENT_METHODS } from '#server/admin/paths.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { time } from '#server/admin/views/pieces.ts';
import { MetaSchema } from '#server/db/meta.ts';
import { Refusal } from '#server/http/refusal.ts';
import { recentProviderErrors } from '#server/payments/provider-errors.ts';
import { ProviderError, type ProviderErrorKind } from '#server/payments/providers/call-provider.ts';
import type { PaymentProvider } from '#server/payments/providers/provider.ts';
import { providersOf } from '#server/payments/providers/table.ts';
import { lastWebhookKey, WEBHOOK_PATH } from '#server/payments/webhooks.ts';
import type { Services } from '#server/services/services.ts';

/** Follows the provider's name. */
const PROVIDER_ERRORS: Readonly<Record<ProviderErrorKind, string>> = {
  unreachable: 'does not answer',
  busy: 'asks for fewer requests',
  'wrong-key': 'refuses the key',
  unreadable: 'answers with something else',
  refused: 'refused the request',
};

/** The errors of providers within the last hour. Empty if there are none. */
export async function renderProviderErrors(services: Services): Promise<Content> {
  const items = (await recentProviderErrors(services)).map(
    ({ title, kind, at }) =>
      html`<li><p><strong>${title} ${PROVIDER_ERRORS[kind]}</strong>, last seen ${time(at)}.</p></li>`,
  );
  if (items.length === 0) return '';
  return html`<section class="notice" aria-labelledby="provider-errors"><h2 id="provider-errors">Payment methods with errors</h2>
<ul class="tasks">${items}</ul><p>Shoppers see that they can choose another method. Nothing is lost: the shop retries. <a href="${PAYMENT_METHODS}">Payment methods</a></p></section>`;
}

/** ms since 1970; undefined if none has come. */
async function lastWebhook(services: Services, name: string): Promise<number | undefined> {
  const row = await services.db.get(
    MetaSchema,
    'SELECT value FROM meta WHERE name = ?',
    lastWebhookKey(name),
  );
  return row && v.is(v.pipe(v.string(), v.digits()), row.value) ? Number(row.value) : undefined;
}

async function renderProvider(services: Services, name: string, provider: PaymentProvider): Promise<Html> {
  const { title, isTest, keys = [], todo = '', rules } = provider;
  const { cashOnDelivery } = await services.catalogue();
  const lastAt = await lastWebhook(services, name);
  const keyLines = keys.map(({ label, end }) => html`<li>${label}: set, ends in <b>${end}</b></li>`);
  const webhook: Content =
    keys.length === 0
      ? ''
      : html`<p>Its webhooks go to <code>${services.apiOrigin}${WEBHOOK_PATH}/${name}</code>.
${lastAt === undefined ? 'None has come yet.' : html`The last one came ${time(lastAt)}.`}</p>
${todo ? html`<p>Still to do at the provider: ${todo}</p>` : ''}<form method="post" action="${PAYMENT_METHODS}/${name}">${hiddenInputs(services)}<button class="quiet">Try it</button></form>`;
  return html`<section><h2>${title}${isTest ? ' (test payments)' : ''}</h2>
<ul>${keyLines}</ul>${rules ? html`<p>${rules(cashOnDelivery)}</p>` : ''}${webhook}</section>`;
}

async function show(context: AdminContext, services: Services): Promise<Response> {
  const providers = [...providersOf(services)];
  const sections = await Promise.all(
    providers.map(([name, provider]) => renderProvider(services, name, provider)),
  );
  const none = html`<p>The shop takes no payments. Set PAYMENT_PROVIDERS.</p>`;
  return showPage(context, {
    title: 'Payment methods',
    content: html`${sections.length === 0 ? none : sections}`,
  });
}

/** Makes a harmless request to the provider. It changes nothing, so the form needs no number. */
async function checkProvider(context: AdminContext, services: Services): Promise<Response> {
  const provider = providersOf(services).get(context.req.param('provider') ?? '');
  if (!provider) throw new Refusal(404, 'There is no such payment method.');
  const problem = await provider.check().catch((error: unknown) => {
    if (error instanceof ProviderError) return PROVIDER_ERRORS[error.kind];
    throw error;
  });
  const message = problem === undefined ? 'answers, and takes the keys.' : `does not work: it ${problem}`;
  return redirectWithMessage(context, services, {
    to: PAYMENT_METHODS,
    message: `${provider.title} ${message}`,
  });
}

export const PAYMENT_METHOD_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/payment-methods', access: 'payments', handle: show },
  { method: 'POST', path: '/payment-methods/:provider', access: 'payments', handle: checkProvider },
];
