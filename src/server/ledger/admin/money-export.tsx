import * as v from 'valibot';
import * as CURRENCY from '#domain/currency.ts';
import { type Paise, plainAmount } from '#domain/money.ts';
import { logDownload } from '#server/admin/change.ts';
import { type Cell, csvFile, csvLine } from '#server/admin/csv.ts';
import type { FormState } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS } from '#server/admin/paths.ts';
import { showForm } from '#server/admin/views/Page.tsx';
import type { Reader } from '#server/db/database.ts';
import { literals, q } from '#server/db/query.ts';
import { ADJUSTMENT_NAMES, wayName } from '#server/ledger/labels.ts';
import { dayOf } from '#server/ledger/movements.ts';
import { SHOWN_NUMBER } from '#server/orders/stored-orders.ts';
import type { Services } from '#server/services/services.ts';
import { DAY } from './booking.tsx';

export const MONEY_FILE = `${ORDERS}/money/export`;

const form = defineForm(
  v.pipe(
    v.object({ from: DAY, to: DAY }),
    v.forward(
      v.partialCheck([['from'], ['to']], ({ from, to }) => from <= to, 'must not be before the first day'),
      ['to'],
    ),
  ),
  {
    from: { label: 'From', control: 'date' },
    to: { label: 'To, including that day', control: 'date' },
  },
);

const MOVED = q
  .selectFrom('movements')
  .innerJoin('orders', 'orders.number', 'orderNumber')
  .select(['movements.id', 'direction', 'kind', 'way', 'paise', 'happenedOn', 'changedAt as at'])
  .select(['externalId', 'reverses', 'note', 'providerMessage'])
  .select(({ selectFrom }) =>
    selectFrom('paymentAttempts')
      .select('bankReference')
      .whereRef('reference', '=', 'movements.attempt')
      .where('movements.kind', '=', 'payment')
      .as('bankReference'),
  )
  .select(SHOWN_NUMBER)
  .where('state', 'in', literals('done', 'lost'));

const LOWERED = q
  .selectFrom('adjustments')
  .innerJoin('orders', 'orders.number', 'orderNumber')
  .select(['adjustments.id', 'kind', 'paise', 'happenedOn', 'recordedAt as at', 'reverses', 'reason'])
  .select(SHOWN_NUMBER);

type Row = Readonly<Record<'id' | 'happenedOn' | 'shownNumber' | 'kind' | 'note', string>> & {
  readonly direction?: string;
  readonly way?: string;
  readonly externalId?: string | null;
  readonly bankReference?: string | null;
  /** When it reached its state, in ms since 1970. */
  readonly at: number;
  readonly paise: Paise;
  readonly reverses: string | null;
};

/** The rows of a day in the order in which they were recorded. What undoes a lower amount has the other sign. */
async function rowsOf(db: Reader, day: string): Promise<Row[]> {
  const moved = await db.rows(MOVED.where('happenedOn', '=', day));
  const lowered = await db.rows(LOWERED.where('happenedOn', '=', day));
  return [
    ...moved.map(({ note, providerMessage, ...row }) => ({
      ...row,
      note: `${note} ${providerMessage}`.trim(),
    })),
    ...lowered.map(({ kind, reason, paise, ...row }) => ({
      ...row,
      kind: 'adjustment',
      paise: row.reverses === null ? paise : -paise,
      note: [ADJUSTMENT_NAMES[kind].en, reason].filter(Boolean).join(': '),
    })),
  ].toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}

const COLUMNS: Readonly<Record<string, (row: Row) => Cell>> = {
  Day: ({ happenedOn }) => ({ plain: happenedOn }),
  Order: ({ shownNumber }) => shownNumber,
  Direction: ({ direction = '' }) => direction,
  Kind: ({ kind, reverses }) => (reverses === null ? kind : `${kind} undone`),
  Way: ({ way }) => (way ? wayName(way) : ''),
  [`Amount in ${CURRENCY.word}`]: ({ paise }) => ({
    plain: `${paise < 0 ? '-' : ''}${plainAmount(Math.abs(paise))}`,
  }),
  Number: ({ externalId }) => externalId ?? '',
  'Bank reference': ({ bankReference }) => bankReference ?? '',
  Note: ({ note }) => note,
  Recorded: ({ at, happenedOn }) => (dayOf(at) > happenedOn ? { plain: dayOf(at) } : ''),
};

/** The days on which something happened. */
async function daysOf(db: Reader, from: string, to: string): Promise<string[]> {
  const daysIn = (table: 'movements' | 'adjustments') =>
    q
      .selectFrom(table)
      .select('happenedOn')
      .where((row) => row.between('happenedOn', from, to));
  const days = await db.rows(daysIn('movements').union(daysIn('adjustments')).orderBy('happenedOn'));
  return days.map(({ happenedOn }) => happenedOn);
}

/** A day at a time, so that a large file does not fill the memory. */
async function* partsOf(db: Reader, from: string, to: string): AsyncGenerator<string> {
  const cells = Object.values(COLUMNS);
  yield csvLine(Object.keys(COLUMNS));
  for (const day of await daysOf(db, from, to))
    yield (await rowsOf(db, day)).map((row) => csvLine(cells.map((cell) => cell(row)))).join('');
}

const showMoneyFile = (context: AdminContext, { clock }: Services, state: FormState = {}) => {
  const today = dayOf(clock());
  return showForm(context, {
    title: 'Money as CSV',
    intro: (
      <p>
        A line for each payment, refund and lost dispute, for what undoes one, and for what became less to
        pay, by the day it happened. Lines of a month that is over never change: what is recorded later has a
        line of its own, which says when.
      </p>
    ),
    fields: form.fields,
    values: { from: `${today.slice(0, 'yyyy-mm-'.length)}01`, to: today },
    action: MONEY_FILE,
    submit: 'Download',
    back: ORDERS,
    ...state,
  });
};

async function download(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(form, context.get('form'));
  if (!parsed.isValid) return showMoneyFile(context, services, parsed);
  const { from, to } = parsed.output;
  await logDownload(context, services, { target: ['money', 'CSV'], to: { from, to } });
  return csvFile(`money-${from}-${to}`, partsOf(services.db, from, to));
}

const access = 'exports.read';

export const MONEY_FILE_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders/money/export', access, handle: showMoneyFile },
  { method: 'POST', path: '/orders/money/export', access, handle: download },
];
