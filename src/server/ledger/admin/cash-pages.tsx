import * as v from 'valibot';
import { carrierName } from '#domain/carrier.ts';
import { formatPaise, type Paise, toPaise } from '#domain/money.ts';
import { readRupees } from '#domain/rupees-input.ts';
import { plural } from '#domain/text.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { BOX, FormField, PostForm } from '#server/admin/forms/Form.tsx';
import type { FormState } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { STAFF_STATUSES } from '#server/admin/order-status.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ORDERS, orderPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Button, NumberCell, Row, Table, Time, TouchLink } from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { literals, q, type RowOf, sumOf } from '#server/db/query.ts';
import { lockAccount, recordPayment } from '#server/ledger/book.ts';
import { dayOf } from '#server/ledger/movements.ts';
import { SHOWN_NUMBER } from '#server/orders/stored-orders.ts';
import type { Services } from '#server/services/services.ts';
import { AMOUNT, amountField, dayErrors, rupeesOf, WHEN, WHEN_FIELDS } from './booking.tsx';

export const CASH = `${ORDERS}/cash`;

const PER_PAGE = 100;

/** The cash that couriers have still to bring: only of parcels that have left. */
const OPEN = q
  .selectFrom('orders')
  .where('money', 'in', literals('to_collect'))
  .where('status', 'in', [STAFF_STATUSES.shipped.code, STAFF_STATUSES.delivered.code]);

const LISTED = OPEN.select(['number', 'id', 'createdAt', 'carrier', 'tracking', 'toPayPaise'])
  .select(SHOWN_NUMBER)
  .orderBy('number');

type Listed = RowOf<typeof LISTED>;

const TOTAL = OPEN.select(({ fn }) => [
  fn.countAll<number>().as('count'),
  sumOf(fn.sum('toPayPaise')).as('paise'),
]);

/** The number and the sum of the cash that is to collect. */
export const cashTotals = async (db: Reader) => (await db.row(TOTAL)) ?? { count: 0, paise: 0 };

const cashForm = defineForm(v.object({ amount: AMOUNT, ...WHEN, isSure: v.boolean() }), {
  amount: amountField('Amount that came', 'What the courier has paid for the ticked orders.'),
  ...WHEN_FIELDS,
  isSure: { label: 'Book what each parcel brought, even if another amount came', control: 'checkbox' },
});

const broughtName = ({ id }: Pick<Listed, 'id'>): string => `brought.${id}`;

/** The field with what was to collect when the question was shown: someone else may have booked a part since. */
const seenName = ({ id }: Pick<Listed, 'id'>): string => `seen.${id}`;

/** What a parcel brought, as it was typed; what is to collect if nothing was. NaN for another text. */
function broughtBy(form: FormData | undefined, row: Listed): Paise {
  const text = form?.get(broughtName(row));
  if (typeof text !== 'string' || text.trim() === '') return row.toPayPaise;
  return toPaise(readRupees(text) ?? Number.NaN);
}

async function ticked(form: FormData | undefined, db: Reader) {
  const ids = form?.getAll('order').map(String) ?? [];
  const rows = await db.rows(LISTED.where('id', 'in', ids));
  return rows.map((row) => ({ ...row, paise: broughtBy(form, row) }));
}

type Ticked = Awaited<ReturnType<typeof ticked>>[number];

const isAmount = ({ paise }: Ticked): boolean => Number.isSafeInteger(paise) && paise >= 0;

const amountOf = (rows: readonly Ticked[]): Paise => rows.reduce((sum, { paise }) => sum + paise, 0);

const Seen = ({ of: row }: { readonly of: Listed }) => (
  <input type="hidden" name={seenName(row)} value={row.toPayPaise} />
);

/** A page of the list. What was ticked on other pages stays ticked: a remittance may be longer than a page. */
async function showCash(context: AdminContext, { db, clock }: Services, state: FormState = {}) {
  const { errors, values } = state;
  const form: FormData | undefined = context.get('form');
  const chosen = await ticked(form, db);
  const after = Number(/^\d{1,15}$/.exec(String(form?.get('after') ?? form?.get('from')))?.[0] ?? 0);
  const { count, paise } = await cashTotals(db);
  const found = await db.rows(LISTED.where('number', '>', after).limit(PER_PAGE + 1));
  const open = found.slice(0, PER_PAGE);
  const chosenHere = (id: string) => chosen.find((row) => row.id === id);
  const elsewhere = chosen.filter((row) => isAmount(row) && open.every(({ id }) => id !== row.id));
  const rows = open.map((row) => [
    <label className="inline-flex min-h-11 items-center gap-3">
      <input
        className={BOX}
        type="checkbox"
        name="order"
        value={row.id}
        defaultChecked={chosenHere(row.id) !== undefined}
        aria-label={`Tick ${row.shownNumber}`}
      />
      <TouchLink href={orderPath(row.id)}>{row.shownNumber}</TouchLink>
      <Seen of={row} />
    </label>,
    <Time at={row.createdAt} />,
    `${carrierName(row.carrier)} ${row.tracking ?? ''}`.trim(),
    formatPaise(row.toPayPaise),
    <NumberCell
      name={broughtName(row)}
      value={String(form?.get(broughtName(row)) ?? rupeesOf(row.toPayPaise))}
      label={`What ${row.shownNumber} brought`}
    />,
  ]);
  const part = open.length < count ? `, ${open.length} of them here` : '';
  return showPage(context, {
    title: 'Cash to collect',
    content:
      count === 0 ? (
        <p>No parcel that was shipped has cash to collect.</p>
      ) : (
        <PostForm action={CASH} noValidate hidden={{ from: after }}>
          <Table
            hasTitles
            caption={`${count} shipped, ${formatPaise(paise)}; the oldest first${part}`}
            heads={['Order', 'Placed', 'Parcel', 'To collect', 'Brought']}
            rows={rows}
          />
          {elsewhere.length > 0 && (
            <p>
              Ticked on other pages: {elsewhere.map(({ shownNumber }) => shownNumber).join(', ')},{' '}
              {formatPaise(amountOf(elsewhere))}
            </p>
          )}
          {elsewhere.map((row) => (
            <span key={row.id} hidden>
              <input type="hidden" name="order" value={row.id} />
              <input type="hidden" name={broughtName(row)} value={rupeesOf(row.paise)} />
              <Seen of={row} />
            </span>
          ))}
          <div className="grid max-w-160 gap-5">
            {Object.entries(cashForm.fields).map(([name, field]) => (
              <FormField
                key={name}
                name={name}
                field={field}
                values={values ?? { day: dayOf(clock()) }}
                errors={errors}
              />
            ))}
            <Row>
              <Button>Book the cash</Button>
              {found.length > PER_PAGE && (
                <Button variant="quiet" name="after" value={open.at(-1)?.number}>
                  Next {PER_PAGE}
                </Button>
              )}
              {after > 0 && (
                <Button variant="quiet" name="after" value="0">
                  First {PER_PAGE}
                </Button>
              )}
            </Row>
          </div>
        </PostForm>
      ),
    status: errors ? 422 : 200,
  });
}

/** Why the cash cannot be booked as it was typed: the field, and the error. */
function problemOf(
  form: FormData,
  rows: readonly Ticked[],
  { amount, day, isSure }: v.InferOutput<typeof cashForm.schema>,
  now: number,
): readonly [field: string, problem: string] | undefined {
  if (rows.length === 0) return ['amount', 'No order was ticked.'];
  const wrong = rows.find((row) => !isAmount(row));
  if (wrong) return ['amount', `What ${wrong.shownNumber} brought must be an amount in rupees`];
  const changed = rows.find((row) => form.get(seenName(row)) !== String(row.toPayPaise));
  if (changed) {
    const { shownNumber, toPayPaise } = changed;
    return [
      'amount',
      `Of ${shownNumber} ${formatPaise(toPayPaise)} is to collect now. Type what it brought.`,
    ];
  }
  const [wrongDay] = dayErrors(day, Math.min(...rows.map(({ createdAt }) => createdAt)), now) ?? [];
  if (wrongDay) return wrongDay;
  const sum = amountOf(rows);
  if (amount === sum || isSure) return undefined;
  const [difference, few, many] =
    amount < sum ? ['is missing', 'many', 'less'] : ['is too much', 'few', 'more'];
  return [
    'amount',
    `${formatPaise(amount)} came, but these orders add up to ${formatPaise(sum)}: ${formatPaise(Math.abs(amount - sum))} ${difference}. Perhaps an order too ${few} is ticked, a parcel brought ${many}, or the courier kept a fee. Type what each parcel brought: the rest stays to collect until it comes or is written off.`,
  ];
}

/** Books what each parcel brought. The rest stays to collect. */
async function book(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const parsed = parseForm(cashForm, form);
  const { values } = parsed;
  if (form.has('after')) return showCash(context, services, { values });
  if (!parsed.isValid) return showCash(context, services, parsed);
  const { amount, day, number: externalId } = parsed.output;
  const recordedBy = staffOf(context).email;
  return change(context, services, async (transaction, log) => {
    // Orders are always locked in the order of their numbers, which avoids deadlocks.
    for (const { number } of await ticked(form, transaction)) await lockAccount(transaction, number);
    const rows = await ticked(form, transaction);
    const problem = problemOf(form, rows, parsed.output, services.clock());
    if (problem)
      throw new ChangeAborted(() => showCash(context, services, { values, errors: new Map([problem]) }));
    const came = rows.filter(({ paise }) => paise > 0);
    const sum = amountOf(came);
    for (const { number, id, paise, toPayPaise } of came) {
      const book = { transaction, services, orderNumber: number, recordedBy };
      await recordPayment(book, { way: 'cash', paise, happenedOn: day, externalId });
      await log({
        action: 'collected the cash',
        target: ['order', id],
        from: { toCollect: formatPaise(toPayPaise) },
        to: {
          amount: formatPaise(paise),
          day,
          ...(externalId ? { number: externalId } : {}),
          ...(amount === sum ? {} : { remittance: `${formatPaise(amount)} for ${formatPaise(sum)}` }),
        },
      });
    }
    const rest = new Set(form.getAll('order')).size - came.length;
    const others = rest > 0 ? ` Nothing came of ${rest}, or nothing is to collect of it any more.` : '';
    return {
      to: CASH,
      message: `The cash of ${plural(came.length, 'order')} was collected: ${formatPaise(sum)}.${others}`,
    };
  });
}

const access = 'payments';

export const CASH_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders/cash', access, handle: showCash },
  { method: 'POST', path: '/orders/cash', access, handle: book },
];
