import * as v from 'valibot';
import { json } from '#server/db/columns.ts';
import type { Reader } from '#server/db/database.ts';
import { NAMED, setMeta } from '#server/db/meta.ts';
import type { Services } from '#server/services/services.ts';
import { PROVIDER_ERROR_KINDS, ProviderError, type ProviderErrorKind } from './providers/call-provider.ts';
import { providersOf } from './providers/providers.ts';

/** How long the admin shows a provider's last error, in ms. */
const SHOWN_FOR = 60 * 60_000;

/** A continuing error, and a refused webhook, which strangers can send, is stored at most once in this time, in ms. */
const STORED_EVERY = 60_000;

/** What happened last with a provider. Times are in ms since 1970. */
const NewsSchema = v.object({
  error: v.optional(v.object({ kind: v.picklist(PROVIDER_ERROR_KINDS), at: v.number() })),
  webhookAt: v.optional(v.number()),
  refusedWebhook: v.optional(v.object({ kind: v.string(), at: v.number() })),
});

type News = v.InferOutput<typeof NewsSchema>;

const nameOf = (provider: string): string => `provider_${provider}`;

export const providerNews = async (db: Reader, provider: string): Promise<News> =>
  (await db.row(NAMED({ name: nameOf(provider) }), { value: json(NewsSchema) }))?.value ?? {};

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
  const at = services.clock();
  const last = (await providerNews(services.db, provider))[slot];
  if (last?.kind !== kind || at - last.at >= STORED_EVERY)
    await storeNews(services, provider, { [slot]: { kind, at } });
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

/** The last errors of providers, within the last hour. */
export async function recentProviderErrors(services: Services) {
  const found = await Promise.all(
    [...providersOf(services)].map(async ([name, { title }]) => {
      const { error } = await providerNews(services.db, name);
      return error && services.clock() - error.at < SHOWN_FOR ? [{ ...error, title }] : [];
    }),
  );
  return found.flat();
}
