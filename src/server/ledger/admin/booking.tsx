import type { ReactNode } from 'react';
import * as v from 'valibot';
import { formatPaise, type Paise, toPaise, toRupees } from '#domain/money.ts';
import type { ChangeEntry } from '#server/admin/change-log.ts';
import { type Errors, type Field, type Option, text } from '#server/admin/forms/field.ts';
import type { FormDefinition, FormSchema } from '#server/admin/forms/parse.ts';
import { OptionalRupeesTextSchema, RupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { recordEditor } from '#server/admin/forms/record-editor.tsx';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { orderPath } from '#server/admin/paths.ts';
import { Lines, Table } from '#server/admin/views/pieces.tsx';
import type { Reader, Transaction } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { isWay, WAY_NAMES, WAYS } from '#server/ledger/labels.ts';
import {
  type Adjustment,
  adjustmentsOf,
  dayOf,
  type Movement,
  movementsOf,
} from '#server/ledger/movements.ts';
import {
  findOrder,
  itemsOf,
  lockOrder,
  type OrderItemRow,
  optionsText,
  type StoredOrder,
} from '#server/orders/stored-orders.ts';
import type { Services } from '#server/services/services.ts';

/* What the forms have in common that book something for an order. */

export interface Account {
  readonly order: StoredOrder;
  readonly items: readonly OrderItemRow[];
  readonly movements: readonly Movement[];
  readonly adjustments: readonly Adjustment[];
  /** The row that the address names. */
  readonly row: Movement | Adjustment | undefined;
  /** The pieces that the form names, and their price. */
  readonly lines: Adjustment['lines'];
  readonly linesPaise: Paise;
}

/** The field of a form with the pieces of an item. */
const pieces = ({ position }: OrderItemRow): string => `line.${position}`;

async function readAccount(context: AdminContext, db: Reader): Promise<Account> {
  const order = await findOrder(db, context.req.param('id') ?? '');
  if (!order) throw new Refusal(404, 'There is no such order.');
  const movements = await movementsOf(db, order.number);
  const adjustments = await adjustmentsOf(db, order.number);
  const rowId = context.req.param('row') ?? context.req.query('of');
  const row = [...movements, ...adjustments].find(({ id }) => id === rowId);
  if (rowId !== undefined && !row) throw new Refusal(404, 'There is no such booking.');
  const items = (await itemsOf(db, [order.number])).get(order.number) ?? [];
  const form: FormData | undefined = context.get('form');
  const chosen = items.flatMap((item) => {
    const quantity = Number(form?.get(pieces(item)) ?? 0);
    return Number.isInteger(quantity) && quantity > 0
      ? [{ item, quantity: Math.min(quantity, item.quantity) }]
      : [];
  });
  return {
    order,
    items,
    movements,
    adjustments,
    row,
    lines: chosen.map(({ item, quantity }) => ({ line: String(item.position), quantity })),
    linesPaise: chosen.reduce((sum, { item, quantity }) => sum + item.unitPaise * quantity, 0),
  };
}

/** What an order's money amounts to, by the names that its page has. */
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
export const Pieces = ({ items }: Pick<Account, 'items'>): ReactNode => (
  <Table
    caption="Which pieces it is about, if any"
    heads={['Item', 'Price', 'Pieces']}
    rows={items.map((item) => [
      <Lines of={[item.title, optionsText(item)]} />,
      formatPaise(item.unitPaise),
      <input
        className="control max-w-20"
        name={pieces(item)}
        inputMode="numeric"
        type="number"
        min={0}
        max={item.quantity}
        defaultValue={0}
        aria-label={`Pieces of ${item.title}`}
      />,
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
export const DAY_FIELD: Field = { label: 'Day', control: 'date', hint: 'When it came or went, in India.' };
/** @returns the error of a day that has not come yet */
export const dayErrors = (day: string, now: number): Errors | undefined =>
  day > dayOf(now) ? new Map([['day', 'Day has not come yet']]) : undefined;

export const EXTERNAL_ID = v.pipe(
  text(80),
  v.transform((id) => id || null),
);
export const EXTERNAL_ID_FIELD: Field = {
  ...oneLine,
  label: 'Number',
  hint: "The bank's, such as the UTR; or the courier's.",
  isOptional: true,
};

export const WAY = v.pipe(v.string('Choose a way'), v.check(isWay, 'Choose a way'));
export const WAY_OPTIONS: readonly Option[] = WAY_NAMES.map((value) => ({ value, label: WAYS[value].en }));

export const rupeesOf = (paise: Paise): string => rupeesText(toRupees(paise));

type Booked = { readonly message: string; readonly log: Pick<ChangeEntry, 'action' | 'to'> };

interface BookingPage<S extends FormSchema> {
  /** Follows the order's path. */
  readonly path: string;
  readonly form: FormDefinition<S>;
  readonly title: (account: Account) => string;
  readonly submit: string;
  readonly variant?: 'danger';
  /** What is at stake, and what the customer will read. */
  readonly intro: (account: Account, services: Services) => ReactNode;
  readonly fieldsBelow?: (account: Account) => ReactNode;
  /** What the fields begin with. */
  readonly values?: (account: Account, services: Services) => Readonly<Record<string, string>>;
  /** Why there is nothing to book. */
  readonly refuse?: (account: Account) => string | false;
  readonly store: (
    transaction: Transaction,
    services: Services,
    account: Account,
    output: v.InferOutput<S>,
    recordedBy: string,
  ) => Promise<Booked | { readonly errors: Errors }>;
}

/** The pages of a form that books something for an order. Owners alone may send it. */
export function bookingPages<S extends FormSchema>(page: BookingPage<S>): readonly AdminPage[] {
  const addressOf = ({ order, row }: Account): string => {
    const path = `${orderPath(order.id)}/${page.path.replace(':row', row?.id ?? '')}`;
    return row && !page.path.includes(':row') ? `${path}?of=${row.id}` : path;
  };
  const find = async (context: AdminContext, _services: Services, db: Reader) => {
    const account = await readAccount(context, db);
    const refusal = page.refuse?.(account);
    if (refusal) throw new Refusal(409, refusal);
    return { ...account, recordedBy: staffOf(context).email };
  };
  type Stored = Awaited<ReturnType<typeof find>>;
  const editor = recordEditor<S, Stored>({
    form: page.form,
    lock: (transaction, context) => lockOrder(transaction, context.req.param('id') ?? ''),
    find,
    textsOf: ({ order }) => balanceTexts(order),
    view: (account, services, values) => ({
      title: page.title(account),
      action: addressOf(account),
      intro: (
        <>
          <Balance of={account.order} />
          {page.intro(account, services)}
        </>
      ),
      // What was typed is shown again.
      values: { ...page.values?.(account, services), ...values },
      children: page.fieldsBelow?.(account),
      submit: page.submit,
      ...(page.variant ? { variant: page.variant } : {}),
      back: orderPath(account.order.id),
    }),
    async store(transaction, log, output, account, services) {
      const booked = await page.store(transaction, services, account, output, account.recordedBy);
      if ('errors' in booked) return booked;
      await log({ target: ['order', account.order.id], ...booked.log });
      return { to: orderPath(account.order.id), message: booked.message };
    },
  });
  const path = `/orders/:id/${page.path}`;
  return [
    { method: 'GET', path, access: 'payments.write', handle: editor.open },
    { method: 'POST', path, access: 'payments', handle: editor.save },
  ];
}
