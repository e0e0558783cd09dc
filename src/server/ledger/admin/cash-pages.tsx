import type { ReactNode } from 'react';
import * as v from 'valibot';
import { carrierName } from '#domain/carrier.ts';
import { formatPaise, type Paise, toPaise } from '#domain/money.ts';
import { readRupees } from '#domain/rupees-input.ts';
import { plural } from '#domain/text.ts';
import { change, redirectWithMessage } from '#server/admin/change.ts';
import { BOX, ButtonForm, FormField, PostForm } from '#server/admin/forms/Form.tsx';
import type { FormState } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { STAFF_STATUSES, staffStatusOf } from '#server/admin/order-status.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ORDERS, orderPath } from '#server/admin/paths.ts';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { Button, Row, Table, Time, TouchLink } from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { literals, q, type RowOf, sumOf } from '#server/db/query.ts';
import { lockAccount, recordPayment } from '#server/ledger/book.ts';
import { dayOf } from '#server/ledger/movements.ts';
import { SHOWN_NUMBER, type StoredOrder } from '#server/orders/stored-orders.ts';
import type { Services } from '#server/services/services.ts';
import {
  AMOUNT,
  amountField,
  DAY,
  DAY_FIELD,
  dayErrors,
  EXTERNAL_ID,
  EXTERNAL_ID_FIELD,
  rupeesOf,
} from './booking.tsx';

export const CASH = `${ORDERS}/cash`;

const PER_PAGE = 100;

/** The cash that couriers have still to bring: only of parcels that have left. */
const OPEN = q
  .selectFrom('orders')
  .where('money', 'in', literals('to_collect'))
  .where('status', 'in', [STAFF_STATUSES.shipped.code, STAFF_STATUSES.delivered.code]);

const LISTED = OPEN.select([
  'number',
  'id',
  'createdAt',
  'carrier',
  'tracking',
  'toPayPaise',
  SHOWN_NUMBER,
]).orderBy('number');

type Listed = RowOf<typeof LISTED>;

const TOTAL = OPEN.select(({ fn }) => [
  fn.countAll<number>().as('count'),
  sumOf(fn.sum('toPayPaise')).as('paise'),
]);

/** The number and the sum of the cash that is to collect. */
export const cashTotals = async (db: Reader) => (await db.row(TOTAL)) ?? { count: 0, paise: 0 };

const cashForm = defineForm(v.object({ amount: AMOUNT, day: DAY, number: EXTERNAL_ID }), {
  amount: amountField('Amount that came', 'What the courier has paid for the ticked orders.'),
  day: DAY_FIELD,
  number: EXTERNAL_ID_FIELD,
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

/** The ticked orders and what each brought, for the next form. */
const Hidden = ({ of }: { readonly of: readonly Ticked[] }) =>
  of.map((row) => (
    <span key={row.id} hidden>
      <input type="hidden" name="order" value={row.id} />
      <input type="hidden" name={broughtName(row)} value={rupeesOf(row.paise)} />
      <input type="hidden" name={seenName(row)} value={row.toPayPaise} />
    </span>
  ));

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
    </label>,
    <Time at={row.createdAt} />,
    `${carrierName(row.carrier)} ${row.tracking ?? ''}`.trim(),
    formatPaise(row.toPayPaise),
    <input
      className="control max-w-28"
      name={broughtName(row)}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={String(form?.get(broughtName(row)) ?? rupeesOf(row.toPayPaise))}
      aria-label={`What ${row.shownNumber} brought`}
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
          <Hidden of={elsewhere} />
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
              <Button>Compare</Button>
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

function differenceText(came: number, sum: number): ReactNode {
  if (came === sum) return <p>{formatPaise(came)} came, which is the sum of these orders.</p>;
  const difference = formatPaise(Math.abs(came - sum));
  return (
    <p>
      <strong>
        {formatPaise(came)} came, but these orders add up to {formatPaise(sum)}:{' '}
        {came < sum ? `${difference} is missing` : `${difference} is too much`}.
      </strong>{' '}
      Perhaps an order too {came < sum ? 'many' : 'few'} is ticked, a parcel brought less, or the courier kept
      a fee. Go back, and type what each parcel brought: the rest stays to collect until it comes or is
      written off.
    </p>
  );
}

/** Asks before cash is booked. */
async function compare(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const parsed = parseForm(cashForm, form);
  if (form.has('after')) return showCash(context, services, { values: parsed.values });
  if (!parsed.isValid) return showCash(context, services, parsed);
  const { amount, day, number } = parsed.output;
  const wrongDay = dayErrors(day, services.clock());
  if (wrongDay) return showCash(context, services, { values: parsed.values, errors: wrongDay });
  const rows = await ticked(form, services.db);
  if (rows.length === 0)
    return redirectWithMessage(context, services, { to: CASH, message: 'No order was ticked.' });
  const wrong = rows.find((row) => !isAmount(row));
  if (wrong) {
    const errors = new Map([['amount', `What ${wrong.shownNumber} brought must be an amount in rupees`]]);
    return showCash(context, services, { values: parsed.values, errors });
  }
  const sum = amountOf(rows);
  return showForm(context, {
    title: `The cash of ${plural(rows.length, 'order')} was collected?`,
    intro: (
      <>
        {differenceText(amount, sum)}
        <Table
          caption="The ticked orders"
          heads={['Order', 'To collect', 'Brought']}
          rows={rows.map(({ shownNumber, toPayPaise, paise }) => [
            shownNumber,
            formatPaise(toPayPaise),
            formatPaise(paise),
          ])}
        />
      </>
    ),
    fields: {},
    action: `${CASH}/collected`,
    submit: amount === sum ? 'Book the cash' : 'Book what each brought all the same',
    hidden: { came: amount, day, number: number ?? '' },
    back: CASH,
    children: <Hidden of={rows} />,
  });
}

/** Books what each parcel brought. The rest stays to collect. */
async function collect(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const came = Number(form.get('came'));
  const happenedOn = v.parse(DAY, form.get('day'));
  const externalId = v.parse(EXTERNAL_ID, form.get('number'));
  const recordedBy = staffOf(context).email;
  return change(context, services, async (transaction, log) => {
    // Orders are always locked in the order of their numbers, which avoids deadlocks.
    for (const { number } of await ticked(form, transaction)) await lockAccount(transaction, number);
    const rows = (await ticked(form, transaction)).filter(
      (row) => isAmount(row) && row.paise > 0 && form.get(seenName(row)) === String(row.toPayPaise),
    );
    const sum = amountOf(rows);
    for (const { number, id, paise, toPayPaise } of rows) {
      const row = { way: 'cash', paise, recordedBy, happenedOn, externalId };
      await recordPayment(transaction, services, number, row);
      await log({
        action: 'collected the cash',
        target: ['order', id],
        from: { toCollect: formatPaise(toPayPaise) },
        to: {
          amount: formatPaise(paise),
          day: happenedOn,
          ...(externalId ? { number: externalId } : {}),
          ...(Number.isSafeInteger(came) && came !== sum
            ? { remittance: `${formatPaise(came)} for ${formatPaise(sum)}` }
            : {}),
        },
      });
    }
    const rest = new Set(form.getAll('order')).size - rows.length;
    const others =
      rest > 0
        ? ` Not changed, because something else is to be collected of them now, or nothing came: ${rest}.`
        : '';
    return {
      to: CASH,
      message: `The cash of ${plural(rows.length, 'order')} was collected: ${formatPaise(sum)}.${others}`,
    };
  });
}

/** What can be done with the cash of an order on its page. */
export const CashAction = ({
  order,
  now,
}: {
  readonly order: StoredOrder;
  readonly now: number;
}): ReactNode =>
  order.paidAtDoor === 1 &&
  order.toPayPaise > 0 &&
  staffStatusOf(order.status).hasShipped && (
    <ButtonForm
      action={CASH}
      hidden={{ order: order.id, amount: rupeesOf(order.toPayPaise), day: dayOf(now), number: '' }}
    >
      The cash was collected …
    </ButtonForm>
  );

const access = 'payments';

export const CASH_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders/cash', access, handle: showCash },
  { method: 'POST', path: '/orders/cash', access, handle: compare },
  { method: 'POST', path: '/orders/cash/collected', access, handle: collect },
];
