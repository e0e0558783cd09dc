import type { ReactNode } from 'react';
import * as v from 'valibot';
import { formatPaise, type Paise, toPaise, toRupees } from '#domain/money.ts';
import { readNumber } from '#domain/number-input.ts';
import { type Errors, type Field, text } from '#server/admin/forms/field.ts';
import type { FormDefinition, FormSchema } from '#server/admin/forms/parse.ts';
import { OptionalRupeesTextSchema, RupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { recordEditor } from '#server/admin/forms/record-editor.tsx';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { orderPath } from '#server/admin/paths.ts';
import { Lines, NumberCell, Table } from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Book } from '#server/ledger/book.ts';
import { isWay, tidyNumber, WAY_NAMES, WAYS, wayName } from '#server/ledger/labels.ts';
import {
  type Adjustment,
  adjustmentsOf,
  dayOf,
  type Movement,
  movementsOf,
  unreversed,
} from '#server/ledger/movements.ts';
import {
  findOrder,
  itemsOf,
  lockOrder,
  type OrderItemRow,
  optionsText,
  type StoredOrder,
} from '#server/orders/stored-orders.ts';
import { DAY as DAY_MS } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';

/* What the forms have in common that book something for an order. */

/** What decides whether a form has something to book. */
export interface Stake {
  readonly order: StoredOrder;
  readonly movements: readonly Movement[];
  readonly adjustments: readonly Adjustment[];
  /** The row that it is about, if any. */
  readonly row: Movement | Adjustment | undefined;
}

export interface Account extends Stake {
  /** The items, how many pieces of each were neither lowered nor refunded, and what was typed. */
  readonly pieces: readonly { readonly item: OrderItemRow; readonly left: number; readonly input: string }[];
  readonly piecesError: string | undefined;
  /** The pieces that the form names, and their price. */
  readonly lines: Adjustment['lines'];
  readonly linesPaise: Paise;
}

/** The field of a form with the pieces of an item. */
const piecesName = ({ position }: OrderItemRow): string => `line.${position}`;

function readPieces(items: readonly OrderItemRow[], adjustments: readonly Adjustment[], form?: FormData) {
  const before = unreversed(adjustments).flatMap(({ lines }) => lines);
  const pieces = items.map((item) => {
    const own = before.filter(({ line }) => line === String(item.position));
    const left = Math.max(0, item.quantity - own.reduce((sum, { quantity }) => sum + quantity, 0));
    const input = String(form?.get(piecesName(item)) ?? '').trim();
    return { item, left, input, quantity: input === '' ? 0 : (readNumber(input) ?? Number.NaN) };
  });
  const wrong = pieces.find(
    ({ quantity, left }) => !Number.isInteger(quantity) || quantity < 0 || quantity > left,
  );
  const chosen = pieces.filter(({ quantity }) => quantity > 0);
  return {
    pieces,
    piecesError: wrong && `Pieces of ${wrong.item.title} must be a number from 0 to ${wrong.left}`,
    lines: chosen.map(({ item, quantity }) => ({ line: String(item.position), quantity })),
    linesPaise: chosen.reduce((sum, { item, quantity }) => sum + item.unitPaise * quantity, 0),
  };
}

async function readAccount(context: AdminContext, db: Reader): Promise<Account> {
  const order = await findOrder(db, context.req.param('id') ?? '');
  if (!order) throw new Refusal(404, 'There is no such order.');
  const movements = await movementsOf(db, order.number);
  const adjustments = await adjustmentsOf(db, order.number);
  const rowId = context.req.param('row') ?? context.req.query('of');
  const row = [...movements, ...adjustments].find(({ id }) => id === rowId);
  if (rowId !== undefined && !row) throw new Refusal(404, 'There is no such booking.');
  const items = (await itemsOf(db, [order.number])).get(order.number) ?? [];
  return { order, movements, adjustments, row, ...readPieces(items, adjustments, context.get('form')) };
}

/** The sums of an order's money, by their names on its page. */
export const balanceTexts = (order: StoredOrder): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [
      ['Owed', order.owedPaise, true],
      ['Held', order.heldPaise, true],
      ['To pay', order.toPayPaise, order.toPayPaise > 0],
      ['To refund', order.toRefundPaise, order.toRefundPaise > 0],
      ['Refund in progress', order.refundingPaise, order.refundingPaise > 0],
      ['In dispute', order.disputedPaise, order.disputedPaise > 0],
      ['Loss', order.returnedPaise - order.receivedPaise, order.returnedPaise > order.receivedPaise],
    ].flatMap(([name, paise, isShown]) => (isShown ? [[name, formatPaise(Number(paise))]] : [])),
  );

export const Balance = ({ of }: { readonly of: StoredOrder }) => (
  <p>
    {Object.entries(balanceTexts(of)).map(([name, amount], index) => (
      <span key={name}>
        {index > 0 && ', '}
        {name} <b>{amount}</b>
      </span>
    ))}
  </p>
);

/** Fields for the pieces that a refund or a lower amount is about. */
export const Pieces = ({ pieces }: Pick<Account, 'pieces'>): ReactNode => (
  <Table
    caption="Which pieces it is about, if any"
    heads={['Item', 'Price', 'Pieces']}
    rows={pieces.map(({ item, left, input }) => [
      <Lines
        of={[
          item.title,
          optionsText(item),
          left < item.quantity ? `${item.quantity - left} lowered or refunded before` : '',
        ]}
      />,
      formatPaise(item.unitPaise),
      <NumberCell name={piecesName(item)} value={input || '0'} label={`Pieces of ${item.title}`} isWhole />,
    ])}
  />
);

const oneLine = { control: 'text', autocomplete: 'off' } as const;

/** The fields of these forms, and their schemas. */
export const AMOUNT = v.pipe(RupeesTextSchema, v.minValue(0.01, 'must be more than 0'), v.transform(toPaise));
/** null for the price of the pieces. */
export const AMOUNT_OR_PIECES = v.pipe(
  OptionalRupeesTextSchema,
  v.transform((rupees) => (rupees === null ? null : toPaise(rupees))),
);
export const amountField = (label: string, hint = ''): Field => ({
  ...oneLine,
  inputmode: 'decimal',
  label,
  ...(hint ? { hint } : {}),
});
export const REASON = v.pipe(text(200), v.nonEmpty('must say why'));
export const reasonField = (hint: string): Field => ({ ...oneLine, label: 'Reason', hint });

const NO_DAY = 'must be a day such as 2026-01-05';
export const DAY = v.pipe(
  v.string(NO_DAY),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, NO_DAY),
  v.check((day) => new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false, NO_DAY),
);
const DAY_FIELD: Field = { label: 'Day', control: 'date', hint: 'When it came or went, in India.' };

/** The error of a day that has not come yet, or of a mistyped year. @param placedAt of the order, in ms since 1970 */
export const dayErrors = (day: string, placedAt: number, now: number): Errors | undefined =>
  day > dayOf(now)
    ? new Map([['day', 'Day has not come yet']])
    : day < dayOf(placedAt - 31 * DAY_MS)
      ? new Map([['day', 'Day is long before the order was placed']])
      : undefined;

/** When money came or went, and by which number of a bank or a courier. */
export const WHEN = {
  day: DAY,
  number: v.pipe(
    text(80),
    v.transform((id) => tidyNumber(id) || null),
  ),
};
export const WHEN_FIELDS = {
  day: DAY_FIELD,
  number: {
    ...oneLine,
    label: 'Number',
    hint: "The bank's, such as the UTR; or the courier's.",
    isOptional: true,
  },
} as const satisfies Readonly<Record<keyof typeof WHEN, Field>>;

export const WAY = v.pipe(v.string('Choose a way'), v.check(isWay, 'Choose a way'));
export const WAY_OPTIONS = WAY_NAMES.map((value) => ({ value, label: WAYS[value].en }));

export const rupeesOf = (paise: Paise): string => rupeesText(toRupees(paise));

/** The answer of a form with one wrong field. */
export const wrong = (field: string, problem: string) => ({ errors: new Map([[field, problem]]) });

interface Booked {
  readonly paise?: Paise;
  readonly message: string;
  /** What the log says beside the amount, if it is not what was typed. */
  readonly log?: Readonly<Record<string, string>>;
}

interface BookingSpec<S extends FormSchema> {
  /** Follows the order's path. */
  readonly path: string;
  readonly form: FormDefinition<S>;
  /** The text of its link and of its button. Its title ends with the order's number. */
  readonly label: string;
  readonly title?: (account: Account) => string;
  readonly submit?: string;
  /** The text of its link at a row that it may be about. */
  readonly rowLabel?: string;
  readonly variant?: 'danger';
  /** Says how much there is to book, and what the customer will read. */
  readonly intro: (account: Account, services: Services) => ReactNode;
  readonly hasPieces?: true;
  /** The values that the fields start with. */
  readonly values?: (account: Account, services: Services) => Readonly<Record<string, string>>;
  /** Why there is nothing to book. */
  readonly refuse?: (stake: Stake) => string | false;
  /** For the log, in the past tense. */
  readonly action: string;
  readonly store: (
    book: Book,
    account: Account,
    output: v.InferOutput<S>,
    services: Services,
  ) => Promise<Booked | { readonly errors: Errors }>;
}

export interface BookingForm extends Pick<BookingSpec<FormSchema>, 'label' | 'rowLabel'> {
  /** The address of the form for an order or its row; undefined if it has nothing to book. */
  readonly addressFor: (stake: Stake) => string | undefined;
  readonly pages: readonly AdminPage[];
}

/** What was typed, as the log has it. */
const logged = (output: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(output).flatMap(([name, value]) =>
      typeof value !== 'string' ? [] : name === 'way' ? [['how', wayName(value)]] : [[name, value]],
    ),
  );

/** A form that books something for an order. Owners alone may send it. */
export function bookingForm<S extends FormSchema>(spec: BookingSpec<S>): BookingForm {
  const { path, label, rowLabel } = spec;
  const isOfRow = path.includes(':row');
  const addressOf = ({ order, row }: Stake): string => {
    const address = `${orderPath(order.id)}/${path.replace(':row', row?.id ?? '')}`;
    return row && !isOfRow ? `${address}?of=${row.id}` : address;
  };
  const editor = recordEditor<S, Account & Pick<Book, 'recordedBy'>>({
    form: spec.form,
    lock: (transaction, context) => lockOrder(transaction, context.req.param('id') ?? ''),
    async find(context, _services, db) {
      const account = await readAccount(context, db);
      const refusal = spec.refuse?.(account);
      if (refusal) throw new Refusal(409, refusal);
      return { ...account, recordedBy: staffOf(context).email };
    },
    textsOf: ({ order }) => balanceTexts(order),
    view: (account, services, values) => ({
      title: `${spec.title?.(account) ?? label}: order ${account.order.shownNumber}`,
      action: addressOf(account),
      intro: (
        <>
          <Balance of={account.order} />
          {spec.intro(account, services)}
        </>
      ),
      // What was typed is shown again.
      values: { ...spec.values?.(account, services), ...values },
      children: spec.hasPieces && <Pieces pieces={account.pieces} />,
      submit: spec.submit ?? label,
      ...(spec.variant ? { variant: spec.variant } : {}),
      back: orderPath(account.order.id),
    }),
    async store(transaction, log, output, account, services) {
      const { order, piecesError, recordedBy } = account;
      const { day } = logged(output);
      const errors = day === undefined ? day : dayErrors(day, order.createdAt, services.clock());
      if (errors) return { errors };
      if (spec.hasPieces && piecesError) return wrong('amount', piecesError);
      const book = { transaction, services, orderNumber: order.number, recordedBy };
      const booked = await spec.store(book, account, output, services);
      if ('errors' in booked) return booked;
      const { paise, message, log: to = logged(output) } = booked;
      const amount = paise === undefined ? {} : { amount: formatPaise(paise) };
      await log({ action: spec.action, target: ['order', order.id], to: { ...amount, ...to } });
      return { to: orderPath(order.id), message };
    },
  });
  const page = { path: `/orders/:id/${path}` };
  return {
    label,
    ...(rowLabel ? { rowLabel } : {}),
    addressFor: (stake) =>
      (stake.row ? !rowLabel : isOfRow) || spec.refuse?.(stake) ? undefined : addressOf(stake),
    pages: [
      { ...page, method: 'GET', access: 'payments.write', handle: editor.open },
      { ...page, method: 'POST', access: 'payments', handle: editor.save },
    ],
  };
}
