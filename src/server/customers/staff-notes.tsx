import { randomUUID } from 'node:crypto';
import { type ReactNode, useContext } from 'react';
import * as v from 'valibot';
import { change } from '#server/admin/change.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import { textLines } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { type AdminContext, staffOf } from '#server/admin/page.ts';
import { CUSTOMERS, customerPath, orderPath } from '#server/admin/paths.ts';
import { Rights } from '#server/admin/rights.tsx';
import { showForm } from '#server/admin/views/Page.tsx';
import { Time } from '#server/admin/views/pieces.tsx';
import type { Reader, Transaction } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';

/* What the staff note about an order or a customer. No customer reads it but in the export of personal data. */

const NOTE = q
  .selectFrom('staffNotes')
  .select(['id', 'orderNumber', 'body', 'forPacking', 'who', 'createdAt'])
  .orderBy('createdAt')
  .orderBy('id');

type StaffNote = RowOf<typeof NOTE>;

export const notesOnOrder = (db: Reader, orderNumber: number): Promise<StaffNote[]> =>
  db.rows(NOTE.where('orderNumber', '=', orderNumber));

export const notesOnCustomer = (db: Reader, customerId: string): Promise<StaffNote[]> =>
  db.rows(NOTE.where('customerId', '=', customerId));

const ordersOf = (customerId: string) =>
  q.selectFrom('orders').select('number').where('orders.customerId', '=', customerId);

const exported = ({ orderNumber, body, createdAt }: StaffNote) => ({
  about: orderNumber === null ? 'account' : 'order',
  text: body,
  at: isoTime(createdAt),
});

/** The notes about a customer and about the orders of the account. */
export async function exportNotes(db: Reader, customerId: string): Promise<object[]> {
  const onOrders = await db.rows(NOTE.where('orderNumber', 'in', ordersOf(customerId)));
  return [...(await notesOnCustomer(db, customerId)), ...onOrders].map(exported);
}

/** The notes about an order without an account, for an export of personal data. */
export const exportNotesOn = async (db: Reader, orderNumber: number): Promise<object[]> =>
  (await notesOnOrder(db, orderNumber)).map(exported);

export async function eraseNotes(transaction: Transaction, customerId: string): Promise<void> {
  const notes = q.deleteFrom('staffNotes');
  await transaction.run(notes.where('customerId', '=', customerId));
  await transaction.run(notes.where('orderNumber', 'in', ordersOf(customerId)));
}

/** In characters. */
const MAX_NOTE = 1_000;

const form = defineForm(
  v.object({ body: v.pipe(textLines(MAX_NOTE), v.nonEmpty('must not be empty')), forPacking: v.boolean() }),
  {
    body: {
      label: 'Note',
      hint: 'For the staff. It is on no slip and in no email, but in the file of personal data that the customer may ask for.',
      control: 'textarea',
      rows: 3,
    },
    forPacking: { label: 'Packers read it, too', control: 'checkbox' },
  },
);

const { forPacking: _, ...FIELDS } = form.fields;

interface NotesProps {
  readonly notes: readonly StaffNote[];
  readonly action: string;
  readonly isOfOrder?: boolean;
}

/** The notes that the staff member may read, and the form for another. Packers read and write what is for packing. */
export function StaffNotes({ notes, action, isOfOrder = false }: NotesProps): ReactNode {
  const seesAll = useContext(Rights)(CUSTOMERS);
  const shown = notes.filter(({ forPacking }) => seesAll || forPacking === 1);
  return (
    <>
      <h2>Notes of the staff</h2>
      {shown.map(({ id, body, who, createdAt }) => (
        <p key={id}>
          <span className="block whitespace-pre-line">{body}</span>
          <span className="hint">
            {who}, <Time at={createdAt} />
          </span>
        </p>
      ))}
      <Form fields={isOfOrder && seesAll ? form.fields : FIELDS} action={action} submit="Add the note" />
    </>
  );
}

/**
 * Stores a note, and goes back to the page of the order or the customer. The log, which cannot be erased, has none of its text.
 */
export function addNote(
  context: AdminContext,
  services: Services,
  about: { readonly orderNumber: number } | { readonly customerId: string },
  target: readonly [type: 'order' | 'customer', id: string],
) {
  const back = target[0] === 'order' ? orderPath(target[1]) : customerPath(target[1]);
  const parsed = parseForm(form, context.get('form'));
  if (!parsed.isValid) {
    const again = { title: 'Note', fields: FIELDS, action: `${back}/note`, submit: 'Add the note', back };
    return showForm(context, { ...again, ...parsed });
  }
  const { body, forPacking } = parsed.output;
  const isForPacking = forPacking || !context.get('mayOpen')(CUSTOMERS);
  return change(context, services, async (transaction, log) => {
    const row = { ...about, body, forPacking: isForPacking ? 1 : 0, who: staffOf(context).email };
    await transaction.run(
      q.insertInto('staffNotes').values({ ...row, id: randomUUID(), createdAt: services.clock() }),
    );
    await log({ action: 'added a note', target });
    return { to: back, message: 'The note is added.' };
  });
}
