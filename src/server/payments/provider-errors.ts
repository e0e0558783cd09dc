import * as v from 'valibot';
import { json } from '#server/db/columns.ts';
import type { Reader } from '#server/db/database.ts';
import { NAMED, setMeta } from '#server/db/meta.ts';
import { q } from '#server/db/query.ts';
import { DAY } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { PROVIDER_ERROR_KINDS, ProviderError, type ProviderErrorKind } from './providers/call-provider.ts';
import { providersOf } from './providers/providers.ts';

/** Follows the provider's name. */
export const PROVIDER_ERRORS: Readonly<Record<ProviderErrorKind, string>> = {
  unreachable: 'does not answer',
  busy: 'asks for fewer requests',
  'wrong-key': 'refuses the key',
  unreadable: 'answers with something else',
  refused: 'refused the request',
};

/** In ms. */
const REFUSAL_SHOWN_FOR = DAY;

/** A continuing error, and a refused webhook, which strangers can send, is stored at most once in this time, in ms. */
const STORED_EVERY = 60_000;

const SINCE = { at: v.number(), since: v.number() };

/** What happened last with a provider. Times are in ms since 1970; what is over is `null`. */
const NewsSchema = v.object({
  error: v.nullish(v.object({ kind: v.picklist(PROVIDER_ERROR_KINDS), ...SINCE })),
  webhookAt: v.optional(v.number()),
  refusedWebhook: v.nullish(v.object({ kind: v.string(), ...SINCE })),
});

type News = v.InferOutput<typeof NewsSchema>;

const nameOf = (provider: string): string => `provider_${provider}`;

export const providerNews = async (db: Reader, provider: string): Promise<News> =>
  (await db.row(NAMED({ name: nameOf(provider) }), { value: json(NewsSchema) }))?.value ?? {};

/** The providers that take payments, with what happened last. */
const allNews = (services: Services) =>
  Promise.all(
    [...providersOf(services)].map(async ([name, provider]) => ({
      name,
      provider,
      ...(await providerNews(services.db, name)),
    })),
  );

export const storeNews = ({ db }: Services, provider: string, news: News): Promise<void> =>
  db.write(async (transaction) => {
    const all = { ...(await providerNews(transaction, provider)), ...news };
    await setMeta(transaction, nameOf(provider), JSON.stringify(all));
  });

/** Records a kind of error in the log, the metrics and the admin. */
async function record(
  services: Services,
  provider: string,
  slot: 'error' | 'refusedWebhook',
  kind: string,
  event: string,
  more: object = {},
): Promise<void> {
  services.metrics?.providerError(provider, slot === 'error' ? kind : 'webhook-refused');
  services.log('warn', event, { provider, error: kind, ...more });
  // It answers, and refuses one request.
  if (slot === 'error' && kind === 'refused') return;
  const at = services.clock();
  const last = (await providerNews(services.db, provider))[slot];
  if (last?.kind !== kind || Math.abs(at - last.at) >= STORED_EVERY)
    await storeNews(services, provider, { [slot]: { kind, at, since: last?.since ?? at } });
}

/**
 * Records the error of a call.
 * @param event what failed, for the log
 * @returns its kind
 * @throws the error itself if it is no ProviderError
 */
export async function recordProviderError(
  services: Services,
  provider: string,
  error: unknown,
  event: string,
): Promise<ProviderErrorKind> {
  if (!(error instanceof ProviderError)) throw error;
  await record(services, provider, 'error', error.kind, event, { words: error.words });
  return error.kind;
}

export const recordRefusedWebhook = (services: Services, provider: string, kind: string): Promise<void> =>
  record(services, provider, 'refusedWebhook', kind, 'webhook refused');

/** Asks the providers that failed last whether they work again. Some are used so rarely that no other call would find out. */
export async function recheckProviders(services: Services): Promise<void> {
  for (const { name, provider, error } of await allNews(services)) {
    if (!error) continue;
    try {
      if ((await provider.check?.()) === undefined) await storeNews(services, name, { error: null });
    } catch (thrown) {
      await recordProviderError(services, name, thrown, 'payment provider still fails');
    }
  }
}

/** Payments whose money has not come yet. */
const UNSETTLED = ({ names }: { readonly names: readonly string[] }) =>
  q
    .selectFrom('paymentAttempts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('provider', 'in', names)
    .where('paymentId', 'is', null)
    .where('nextPollAt', 'is not', null);

/** Which providers fail, and how many payments wait for their answer. */
export async function failingProviders(services: Services) {
  const failing = (await allNews(services)).flatMap(({ name, provider, error }) =>
    error ? [{ ...error, name, text: `${provider.title} ${PROVIDER_ERRORS[error.kind]}.` }] : [],
  );
  if (failing.length === 0) return false;
  const waiting = await services.db.row(UNSETTLED({ names: failing.map(({ name }) => name) }));
  return {
    problem: failing.map(({ text }) => text).join(' '),
    since: Math.min(...failing.map(({ since }) => since)),
    waiting: [waiting?.count ?? 0, 'payment'] as const,
  };
}

/** Webhooks that were refused after the last good one. Strangers can send them, so they are shown for a day. */
export async function refusedWebhooks(services: Services) {
  const now = services.clock();
  const texts = (await allNews(services)).flatMap(({ provider, webhookAt = 0, refusedWebhook }) =>
    refusedWebhook && refusedWebhook.at > webhookAt && Math.abs(now - refusedWebhook.at) <= REFUSAL_SHOWN_FOR
      ? [`A webhook of ${provider.title} was refused: ${refusedWebhook.kind}.`]
      : [],
  );
  return texts.join(' ');
}
