import { isDeepStrictEqual } from 'node:util';
import { expressionBuilder } from 'kysely';
import * as v from 'valibot';
import { json } from '#server/db/columns.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import type { Tables } from '#server/db/tables.ts';

/** `from` and `to` hold only what changed. Never put a secret into them: rows of the log cannot be changed or deleted. */
export interface ChangeEntry {
  /** In the past tense, such as 'changed role'. */
  readonly action: string;
  /** Such as 'product', and its id. */
  readonly target: readonly [type: string, id: string];
  readonly from?: Readonly<Record<string, unknown>>;
  readonly to?: Readonly<Record<string, unknown>>;
}

export type RecordChange = (entry: ChangeEntry) => Promise<void>;

/** Returns the values that differ. A removed value is only in `from`, a new one only in `to`. */
export function differences(before: object, after: object): Required<Pick<ChangeEntry, 'from' | 'to'>> {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const without = (values: Map<string, unknown>, others: Map<string, unknown>) =>
    Object.fromEntries([...values].filter(([name, value]) => !isDeepStrictEqual(value, others.get(name))));
  return { from: without(old, now), to: without(now, old) };
}

/** `id` is null for a command in the terminal. */
export interface Author {
  readonly id: string | null;
  readonly who: string;
}

const jsonText = (value: ChangeEntry['from']): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** Call it in the transaction that makes the change. The database refuses to change or delete a row. */
export async function recordChange(
  transaction: Transaction,
  { id, who }: Author,
  at: number,
  { action, target: [type, targetId], from, to }: ChangeEntry,
): Promise<void> {
  const row = { at, staffId: id, who, action, targetType: type, targetId };
  await transaction.run(
    q.insertInto('adminLog').values({ ...row, fromJson: jsonText(from), toJson: jsonText(to) }),
  );
}

const CHANGE = q
  .selectFrom('adminLog')
  .select(['number', 'at', 'who', 'action', 'targetType', 'targetId', 'fromJson as from', 'toJson as to']);

const ValuesSchema = v.nullable(json(v.record(v.string(), v.unknown())));

const CHANGE_JSON = { from: ValuesSchema, to: ValuesSchema };

export type ChangeRow = RowOf<typeof CHANGE, typeof CHANGE_JSON>;

/** '' matches any value. */
export interface ChangeFilter {
  readonly who: string;
  readonly type: string;
  readonly id: string;
}

const log = expressionBuilder<Tables, 'adminLog'>();

const matching = ({ who, type, id }: ChangeFilter) =>
  log.and([
    ...(who === '' ? [] : [log('who', '=', who)]),
    ...(type === '' ? [] : [log('targetType', '=', type)]),
    ...(id === '' ? [] : [log('targetId', '=', id)]),
  ]);

export async function countChanges(db: Reader, filter: ChangeFilter): Promise<number> {
  const counted = q.selectFrom('adminLog').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await db.row(counted.where(matching(filter))))?.count ?? 0;
}

/** Newest first. */
export const readChanges = (
  db: Reader,
  filter: ChangeFilter,
  max: number,
  skipped: number,
): Promise<ChangeRow[]> => {
  const newest = CHANGE.where(matching(filter)).orderBy('number', 'desc');
  return db.rows(newest.limit(max).offset(skipped), CHANGE_JSON);
};

const AUTHOR = q.selectFrom('adminLog').select('who').distinct().orderBy('who').limit(200);

export const authorsOfChanges = async (db: Reader): Promise<string[]> =>
  (await db.rows(AUTHOR)).map(({ who }) => who);
