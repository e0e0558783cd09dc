import * as v from 'valibot';
import type { Reader } from '#server/db/database.ts';
import { readMeta, setMeta } from '#server/db/meta.ts';
import type { Services } from '#server/services/services.ts';
import { PROVIDER_ERROR_KINDS, ProviderError, type ProviderErrorKind } from './providers/call-provider.ts';
import { providersOf } from './providers/table.ts';

/** How long the admin shows a provider's last error, in ms. */
const SHOWN_FOR = 60 * 60_000;

/** A continuing error is stored at most once in this time, in ms. */
const STORED_EVERY = 60_000;

const metaKey = (provider: string): string => `provider_error_${provider}`;

const ProviderErrorSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ kind: v.picklist(PROVIDER_ERROR_KINDS), at: v.number() }),
);

export interface LastError {
  readonly kind: ProviderErrorKind;
  /** ms since 1970 */
  readonly at: number;
}

async function lastProviderError(db: Reader, provider: string): Promise<LastError | undefined> {
  const parsed = v.safeParse(ProviderErrorSchema, await readMeta(db, metaKey(provider)));
  return parsed.success ? parsed.output : undefined;
}

/**
 * Records a provider's error in the log, the metrics and the admin.
 * @param what failed, for the log
 * @throws the error itself if it is no ProviderError
 */
export async function recordProviderError(
  services: Services,
  provider: string,
  error: unknown,
  what: string,
): Promise<void> {
  if (!(error instanceof ProviderError)) throw error;
  const { kind, words } = error;
  services.metrics?.providerError(provider, kind);
  services.log('warn', what, { provider, error: kind, words });
  const at = services.clock();
  const last = await lastProviderError(services.db, provider);
  if (last?.kind === kind && at - last.at < STORED_EVERY) return;
  await services.db.write((transaction) =>
    setMeta(transaction, metaKey(provider), JSON.stringify({ kind, at } satisfies LastError)),
  );
}

const webhookKey = (provider: string): string => `webhook_${provider}`;

const WebhooksSchema = v.fallback(
  v.pipe(
    v.string(),
    v.parseJson(),
    v.object({
      /** The last one that was accepted and refused, in ms since 1970. */
      accepted: v.optional(v.number()),
      refused: v.optional(v.object({ at: v.number(), reason: v.string() })),
    }),
  ),
  {},
);

/** The last webhooks of a provider. */
export const lastWebhooks = async (db: Reader, provider: string) =>
  v.parse(WebhooksSchema, await readMeta(db, webhookKey(provider)));

async function storeWebhook(
  { db }: Services,
  provider: string,
  news: v.InferOutput<typeof WebhooksSchema>,
): Promise<void> {
  await db.write(async (transaction) => {
    const all = { ...(await lastWebhooks(transaction, provider)), ...news };
    await setMeta(transaction, webhookKey(provider), JSON.stringify(all));
  });
}

export const recordWebhook = (services: Services, provider: string): Promise<void> =>
  storeWebhook(services, provider, { accepted: services.clock() });

/** Strangers can send such webhooks, so a repeated reason is stored at most once a minute. */
export async function recordRefusedWebhook(
  services: Services,
  provider: string,
  reason: string,
): Promise<void> {
  services.metrics?.providerError(provider, 'webhook-refused');
  services.log('warn', 'webhook refused', { provider, reason });
  const at = services.clock();
  const { refused } = await lastWebhooks(services.db, provider);
  if (refused?.reason === reason && at - refused.at < STORED_EVERY) return;
  await storeWebhook(services, provider, { refused: { at, reason } });
}

/** The last errors of providers, within the last hour. */
export async function recentProviderErrors(
  services: Services,
): Promise<(LastError & { readonly title: string })[]> {
  const found = await Promise.all(
    [...providersOf(services)].map(async ([name, { title }]) => {
      const last = await lastProviderError(services.db, name);
      return last && services.clock() - last.at < SHOWN_FOR ? [{ ...last, title }] : [];
    }),
  );
  return found.flat();
}
