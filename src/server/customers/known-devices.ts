import type { Reader, Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { randomToken, tokenHash } from '#server/db/tokens.ts';
import type { Services } from '#server/services/services.ts';

/** Per account; the least recently used ones are deleted. `privacy/retention.ts` says how long the others are stored. */
const MAX_DEVICES = 20;

const ofAccount = (accountId: string) => q.selectFrom('devices').where('accountId', '=', accountId);

/**
 * Whether a customer or staff member has signed in on this device. Wrong guesses on other devices cannot lock it out.
 * Its token gives no access. Several accounts may know a device.
 */
export async function isKnownDevice(db: Reader, accountId: string, device: string): Promise<boolean> {
  const known = ofAccount(accountId).where('tokenHash', '=', tokenHash(device));
  return (await db.row(known.select('tokenHash'))) !== undefined;
}

/**
 * Stores that the account has signed in on this device. Returns the device's token; a token that is not ours is replaced.
 * @param device the token that the device sent
 */
export async function rememberDevice(
  transaction: Transaction,
  { clock }: Pick<Services, 'clock'>,
  accountId: string,
  device = '',
): Promise<string> {
  const ours = q.selectFrom('devices').select('tokenHash').where('tokenHash', '=', tokenHash(device));
  const token = (await transaction.row(ours.limit(1))) ? device : randomToken();
  const row = { accountId, tokenHash: tokenHash(token), lastUsedAt: clock() };
  await transaction.run(
    q
      .insertInto('devices')
      .values(row)
      .onConflict((known) =>
        known.columns(['accountId', 'tokenHash']).doUpdateSet({ lastUsedAt: row.lastUsedAt }),
      ),
  );
  const newest = ofAccount(accountId).select('tokenHash').orderBy('lastUsedAt', 'desc').orderBy('tokenHash');
  await transaction.run(
    q
      .deleteFrom('devices')
      .where('accountId', '=', accountId)
      .where('tokenHash', 'not in', newest.limit(MAX_DEVICES)),
  );
  return token;
}

/** Call it in the transaction that changes the password. */
export const eraseDevices = (transaction: Transaction, accountId: string): Promise<number> =>
  transaction.run(q.deleteFrom('devices').where('accountId', '=', accountId));
