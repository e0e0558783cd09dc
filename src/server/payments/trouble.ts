import * as v from 'valibot';
import type { Reader } from '#server/db/database.ts';
import { MetaSchema, setMeta } from '#server/db/meta.ts';
import type { Shop } from '#server/services/shop.ts';
import { ProviderTrouble, TROUBLE_KINDS, type TroubleKind } from './providers/call-provider.ts';
import { providersOf } from './providers/table.ts';

/** How long the office is told of a provider's last trouble, in ms. */
const TOLD_FOR = 60 * 60_000;

/** A trouble that goes on is stored again at most once in this time, in ms. */
const STORED_EVERY = 60_000;

const nameOf = (provider: string): string => `trouble_${provider}`;

const TroubleSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ kind: v.picklist(TROUBLE_KINDS), at: v.number() }),
);

export interface Trouble {
  readonly kind: TroubleKind;
  /** ms since 1970 */
  readonly at: number;
}

async function lastTrouble(db: Reader, provider: string): Promise<Trouble | undefined> {
  const row = await db.get(MetaSchema, 'SELECT value FROM meta WHERE name = ?', nameOf(provider));
  const parsed = v.safeParse(TroubleSchema, row?.value);
  return parsed.success ? parsed.output : undefined;
}

/**
 * Tells the log, the metrics and the office that a provider did not do its part. @param what was not done
 * @throws the error itself, where it is no trouble of a provider
 */
export async function noteTrouble(shop: Shop, provider: string, error: unknown, what: string): Promise<void> {
  if (!(error instanceof ProviderTrouble)) throw error;
  const { kind, words } = error;
  shop.metrics?.providerTrouble(provider, kind);
  shop.log('warn', what, { provider, trouble: kind, words });
  const at = shop.clock();
  const last = await lastTrouble(shop.db, provider);
  if (last?.kind === kind && at - last.at < STORED_EVERY) return;
  await shop.db.write((transaction) =>
    setMeta(transaction, nameOf(provider), JSON.stringify({ kind, at } satisfies Trouble)),
  );
}

/** The providers that were in trouble within the last hour, by their titles. */
export async function recentTroubles(shop: Shop): Promise<(Trouble & { readonly title: string })[]> {
  const found = await Promise.all(
    [...providersOf(shop)].map(async ([name, { title }]) => {
      const last = await lastTrouble(shop.db, name);
      return last && shop.clock() - last.at < TOLD_FOR ? [{ ...last, title }] : [];
    }),
  );
  return found.flat();
}
