import type { ReactNode } from 'react';
import { redirectWithMessage } from '#server/admin/change.ts';
import { ButtonForm } from '#server/admin/forms/Form.tsx';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { PAYMENT_METHODS } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Time } from '#server/admin/views/pieces.tsx';
import { Refusal } from '#server/http/refusal.ts';
import { PROVIDER_ERRORS, providerNews, storeNews } from '#server/payments/provider-errors.ts';
import { ProviderError } from '#server/payments/providers/call-provider.ts';
import { providersOf } from '#server/payments/providers/providers.ts';
import { WEBHOOK_PATH } from '#server/payments/webhooks.ts';
import type { Services } from '#server/services/services.ts';

/** The address of a provider's webhooks, the last ones, and what is still to do. */
async function renderWebhooks(services: Services, name: string, todo: string): Promise<ReactNode> {
  const { webhookAt, refusedWebhook } = await providerNews(services.db, name);
  return (
    <>
      <p>
        Its webhooks go to <code>{`${services.apiOrigin}${WEBHOOK_PATH}/${name}`}</code>.{' '}
        {webhookAt === undefined ? (
          'None has come yet.'
        ) : (
          <>
            The last one came <Time at={webhookAt} />.
          </>
        )}{' '}
        {refusedWebhook && (
          <>
            <strong>One was refused</strong> <Time at={refusedWebhook.at} />: {refusedWebhook.kind}.
          </>
        )}
      </p>
      {todo && <p>Still to do at the provider: {todo}</p>}
      <ButtonForm action={`${PAYMENT_METHODS}/${name}`}>Try it</ButtonForm>
    </>
  );
}

async function show(context: AdminContext, services: Services): Promise<Response> {
  const { cashOnDelivery } = await services.catalogue();
  const sections = [...providersOf(services)].map(
    async ([name, { title, isTest, keys = [], todo = '', rules }]) => (
      <section key={name}>
        <h2>
          {title}
          {isTest && ' (test payments)'}
        </h2>
        <ul>
          {keys.map(({ label, end }) => (
            <li key={label}>
              {label}: set, ends in <b>{end}</b>
            </li>
          ))}
        </ul>
        {rules && <p>{rules(cashOnDelivery)}</p>}
        {keys.length > 0 && (await renderWebhooks(services, name, todo))}
      </section>
    ),
  );
  return showPage(context, {
    title: 'Payment methods',
    content:
      sections.length === 0 ? (
        <p>The shop takes no payments. Set PAYMENT_PROVIDERS.</p>
      ) : (
        await Promise.all(sections)
      ),
  });
}

/** Makes a harmless request to the provider. It changes nothing, so the form needs no number. */
async function checkProvider(context: AdminContext, services: Services): Promise<Response> {
  const name = context.req.param('provider') ?? '';
  const provider = providersOf(services).get(name);
  if (!provider?.check) throw new Refusal(404, 'There is no such payment method.');
  const problem = await provider.check().catch((error: unknown) => {
    if (error instanceof ProviderError) return PROVIDER_ERRORS[error.kind];
    throw error;
  });
  if (problem === undefined) await storeNews(services, name, { error: null });
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
