import { createHash, randomUUID } from 'node:crypto';
import { expressionBuilder } from 'kysely';
import type { Language } from '#domain/language.ts';
import { accountKey, addressKey, phoneKeys } from '#domain/same-customer.ts';
import type { ShippingAddress } from '#domain/shipping-address.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared, q, type RowOf } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Customer } from '#server/services/services.ts';

/* From whom the shop takes no cash, or no orders, until a day. */

const BLOCK = q
  .selectFrom('blocks')
  .select(['id', 'kind', 'key', 'scope', 'reason', 'customerId', 'who', 'createdAt', 'endsAt']);

export type Block = RowOf<typeof BLOCK>;

type Kind = Block['kind'];

/** A deleted account leaves only this of its key, so that a new account does not end the block. */
const hashOf = (key: string): string => `sha256:${createHash('sha256').update(key).digest('base64url')}`;

export const isErasedKey = (key: string): boolean => key.startsWith('sha256:');

/** Who orders, or pays. */
interface Identity {
  readonly customerId?: string | null | undefined;
  /** In its canonical form. */
  readonly email?: string | null | undefined;
  readonly address?: Pick<ShippingAddress, 'address' | 'postalCode' | 'phone'> | undefined;
}

/** By what a customer is recognised, in any spelling. */
export const keysOf = ({ email, address }: Identity): { readonly kind: Kind; readonly key: string }[] =>
  [
    ...(email ? [{ kind: 'account' as const, key: accountKey(email) }] : []),
    ...phoneKeys(address?.phone ?? '').map((key) => ({ kind: 'phone' as const, key })),
    ...(address ? [{ kind: 'address' as const, key: addressKey(address) }] : []),
  ].filter(({ key }) => key !== '');

const block = expressionBuilder<Tables, 'blocks'>();

interface Asked {
  readonly keys: readonly string[];
  readonly customerId: string;
  readonly now: number;
}

const HOLDING = prepared(({ keys, customerId, now }: Asked) => {
  const ofAccount = block.and([block('customerId', '=', customerId), block('kind', '=', 'account')]);
  const found = BLOCK.where(block.or([block('key', 'in', keys), ofAccount]));
  return found.where('endsAt', '>', now).orderBy('scope', 'desc').orderBy('createdAt');
});

/** The blocks that hold now for any of the customer's traits. Those for all orders come first. */
export function blocksOf(db: Reader, identity: Identity, now: number): Promise<Block[]> {
  const keys = keysOf(identity).flatMap(({ key }) => [key, hashOf(key)]);
  return db.rows(HOLDING({ keys, customerId: identity.customerId ?? '', now }));
}

/** Those that hold now, the first to end first. */
export const currentBlocks = (db: Reader, now: number, max: number): Promise<Block[]> =>
  db.rows(BLOCK.where('endsAt', '>', now).orderBy('endsAt').orderBy('id').limit(max));

export const addBlock = (transaction: Transaction, row: Omit<Block, 'id'>): Promise<number> =>
  transaction.run(q.insertInto('blocks').values({ id: randomUUID(), ...row }));

/** Returns undefined if it has ended already. */
export async function liftBlock(
  transaction: Transaction,
  id: string,
  now: number,
): Promise<Block | undefined> {
  const found = await transaction.row(BLOCK.where('id', '=', id).where('endsAt', '>', now).forNoKeyUpdate());
  if (found) await transaction.run(q.updateTable('blocks').set({ endsAt: now }).where('id', '=', id));
  return found;
}

/** What a customer reads. It does not say that there is a block, or why. */
export const REFUSALS = {
  orders: {
    en: 'We cannot take this order here. Please contact us, and we will help you.',
    hi: 'हम यह ऑर्डर यहाँ नहीं ले सकते। कृपया हमसे संपर्क करें, हम आपकी मदद करेंगे।',
  },
  cash: {
    en: 'This order cannot be paid in cash on delivery. Please pay online, or contact us.',
    hi: 'इस ऑर्डर के लिए कैश ऑन डिलीवरी नहीं हो सकती। कृपया ऑनलाइन भुगतान करें, या हमसे संपर्क करें।',
  },
} as const satisfies Readonly<Record<Block['scope'], Readonly<Record<Language, string>>>>;

/** Only those that the staff made for this account: anybody can order with the phone of another person. */
export async function exportBlocks(db: Reader, { id }: Customer): Promise<object[]> {
  const rows = await db.rows(BLOCK.where('customerId', '=', id).orderBy('createdAt').orderBy('kind'));
  return rows.map(({ kind, key, scope, reason, createdAt, endsAt }) => ({
    ...{ kind, key, scope, reason },
    at: isoTime(createdAt),
    until: isoTime(endsAt),
  }));
}

/**
 * Erases what names the customer. Until its day a block goes on by a hash: protection from fraud and loss is a purpose that a
 * deletion does not end, and a new account would otherwise lift it.
 */
export async function eraseBlocks(transaction: Transaction, { id, email }: Customer): Promise<void> {
  const orders = q.selectFrom('orders').where('customerId', '=', id);
  const named = BLOCK.where(({ eb, or }) =>
    or([
      eb('blocks.customerId', '=', id),
      eb('key', '=', accountKey(email)),
      eb('key', 'in', orders.select('phone')),
      eb('key', 'in', orders.select('addressKey')),
    ]),
  );
  for (const block of await transaction.rows(named)) {
    // The account may have another email since.
    const key = block.kind === 'account' ? accountKey(email) : block.key;
    const erased = { key: isErasedKey(key) ? key : hashOf(key), reason: '', customerId: null };
    await transaction.run(q.updateTable('blocks').set(erased).where('id', '=', block.id));
  }
}
