import * as v from 'valibot';
import { canonicalEmail, isEmail } from '#domain/email.ts';
import { isCancellable } from '#domain/order-status.ts';
import { type AddressField, eachAddressField } from '#domain/shipping-address.ts';
import { differences } from '#server/admin/change-log.ts';
import { codeText, type Field, type Fields, text } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { recordEditor } from '#server/admin/forms/record-editor.tsx';
import type { AdminPage } from '#server/admin/page.ts';
import { orderPath } from '#server/admin/paths.ts';
import { orderRecipient } from '#server/customers/stored-customers.ts';
import { q } from '#server/db/query.ts';
import { dropWaiting, queueEmail } from '#server/email/outbox.ts';
import { ORDER_EMAILS } from '#server/fulfilment/emails.ts';
import { Refusal } from '#server/http/refusal.ts';
import { DAY, dayErrors } from '#server/ledger/admin/booking.tsx';
import {
  extraError,
  extrasFor,
  extrasOf,
  normaliseExtra,
  type OrderExtra,
  type OrderExtras,
  storeExtras,
} from '#server/orders/order-extras.ts';
import { AddressSchema } from '#server/orders/schema.ts';
import { lockOrder, updateOrder } from '#server/orders/stored-orders.ts';
import type { ListedOrder } from './listed-orders.ts';
import { idOf, requireOrder } from './order-page.tsx';

export const ADDRESS_LABELS: Readonly<Record<AddressField, string>> = {
  fullName: 'Name',
  address: 'Address',
  city: 'City',
  state: 'State',
  postalCode: 'PIN code',
  phone: 'Phone',
};

const EXTRAS = extrasFor('staff');

/** A field's name in the form. No field of the address has a hyphen. */
const inputOf = ({ name }: OrderExtra): string => `extra-${name}`;

/** Any text that is not huge. `AddressSchema` and `extraError` then check it more strictly. */
const TypedSchema = v.pipe(v.string(), v.maxLength(2_000, 'is too long'));

const extraSchema = (extra: OrderExtra) =>
  v.pipe(
    TypedSchema,
    v.transform((typed) => normaliseExtra(extra, typed)),
    v.check(
      (text) => text === '' || extraError(extra, text, 'en') === undefined,
      ({ input }) => extraError(extra, input, 'en') ?? '',
    ),
  );

function extraField({ label, type, options }: OrderExtra): Field {
  const about = { label: label.en, isOptional: true };
  if (type === 'textarea') return { ...about, control: 'textarea', rows: 3 };
  if (type !== 'select') return { ...about, control: 'text', autocomplete: 'off' };
  const choices = ['', ...(options ?? [])].map((value) => ({ value, label: value }));
  return { ...about, control: 'select', options: choices };
}

const email = v.pipe(
  text(200),
  v.transform(canonicalEmail),
  v.check((typed) => typed === '' || isEmail(typed), 'is not an email address'),
);

/** The address and what an order carries besides, as the staff type them. */
export const detailsForm = defineForm(
  v.object({
    ...eachAddressField((field) =>
      v.pipe(
        TypedSchema,
        v.check((typed) => typed.trim() !== '', 'must not be empty'),
        AddressSchema.entries[field],
      ),
    ),
    email,
    ...Object.fromEntries(EXTRAS.map((extra) => [inputOf(extra), extraSchema(extra)])),
  }),
  {
    ...eachAddressField(
      (field): Field => ({
        label: ADDRESS_LABELS[field],
        control: field === 'phone' ? 'tel' : 'text',
        autocomplete: 'off',
      }),
    ),
    email: {
      label: 'Email',
      hint: 'It gets the number and the total of the order alone, because a mistyped one may be a stranger’s.',
      control: 'email',
      autocomplete: 'off',
      isOptional: true,
    },
    ...Object.fromEntries(EXTRAS.map((extra) => [inputOf(extra), extraField(extra)])),
  },
);

const { email: _, ...FIELDS_WITH_ACCOUNT } = detailsForm.fields;

/** Returns the extras in the output of the form. */
export const extrasIn = (output: Readonly<Record<string, string>>): [name: string, text: string][] =>
  EXTRAS.map((extra) => [extra.name, output[inputOf(extra)] ?? '']);

interface Correctable {
  readonly order: ListedOrder;
  readonly extras: OrderExtras;
}

/** The values of the form's fields. The email of an account is not the order's. */
const textsOf = ({ order, extras }: Correctable) => ({
  ...order.address,
  email: order.contactEmail ?? '',
  ...Object.fromEntries(EXTRAS.map((extra) => [inputOf(extra), extras.get(extra.name) ?? ''])),
});

const editor = recordEditor({
  form: detailsForm,
  lock: (transaction, context) => lockOrder(transaction, idOf(context)),
  async find(context, _services, db): Promise<Correctable> {
    const order = await requireOrder(db, idOf(context));
    if (!isCancellable(order))
      throw new Refusal(409, 'This order was shipped or cancelled. It can no longer be corrected.');
    return { order, extras: (await extrasOf(db, [order.number])).get(order.number) ?? new Map() };
  },
  textsOf,
  view: ({ order: { id, shownNumber, customerId } }) => ({
    fields: customerId === null ? detailsForm.fields : FIELDS_WITH_ACCOUNT,
    title: `Correct order ${shownNumber}`,
    action: `${orderPath(id)}/correct`,
    intro: (
      <p>
        Possible until the order is shipped. The customer gets an email with the corrected details. Print the
        packing slip again.
      </p>
    ),
    back: orderPath(id),
  }),
  async store(transaction, log, output: Readonly<Record<string, string>>, stored, services) {
    const { id, number } = stored.order;
    const changed = Object.keys(differences(textsOf(stored), output).to);
    if (changed.length === 0) return { to: orderPath(id), message: 'Nothing was changed.' };
    const { customerId } = stored.order;
    await updateOrder(transaction, number, {
      address: v.parse(AddressSchema, output),
      ...(customerId === null && { contactEmail: output.email || null }),
    });
    const left = [...new Map([...stored.extras, ...extrasIn(output)])].filter(([, value]) => value !== '');
    await storeExtras(transaction, number, new Map(left));
    const fields: Fields = detailsForm.fields;
    // The log cannot be erased, so it names no person.
    const labels = changed.map((name) => fields[name]?.label ?? name);
    await log({ action: 'corrected', target: ['order', id], to: { changed: labels.join(', ') } });
    await dropWaiting(transaction, services.clock(), [ORDER_EMAILS.corrected.kind], [id]);
    await queueEmail(transaction, services, ORDER_EMAILS.corrected, id);
    const isWrittenTo = services.settings.mail && (await orderRecipient(transaction, stored.order));
    const note = isWrittenTo ? ', and the customer gets an email' : '';
    return { to: orderPath(id), message: `The order is corrected${note}.` };
  },
});

const invoiceTexts = ({ invoiceNumber, invoicedOn }: Pick<ListedOrder, 'invoiceNumber' | 'invoicedOn'>) => ({
  number: invoiceNumber ?? '',
  day: invoicedOn ?? '',
});

/** Notes the GST invoice of an order, which the shop makes with another program. */
const invoiceEditor = recordEditor({
  form: defineForm(v.object({ number: v.pipe(codeText(60), v.nonEmpty('must not be empty')), day: DAY }), {
    number: { label: 'Number of the invoice', control: 'text', autocomplete: 'off' },
    day: { label: 'Sent on', control: 'date' },
  }),
  lock: (transaction, context) => lockOrder(transaction, idOf(context)),
  find: (context, _services, db) => requireOrder(db, idOf(context)),
  textsOf: invoiceTexts,
  view: ({ id, shownNumber }) => ({
    title: `GST invoice of order ${shownNumber}`,
    action: `${orderPath(id)}/invoice`,
    intro: <p>The customer asked for one. Make and send it with your own program, and note it here.</p>,
    back: orderPath(id),
  }),
  async store(transaction, log, { number, day }, order, { clock }) {
    const errors = dayErrors(day, order.createdAt, clock());
    if (errors) return { errors };
    const set = { invoiceNumber: number, invoicedOn: day };
    await transaction.run(q.updateTable('orders').set(set).where('number', '=', order.number));
    await log({
      action: 'noted the GST invoice',
      target: ['order', order.id],
      ...differences(invoiceTexts(order), invoiceTexts(set)),
    });
    return { to: orderPath(order.id), message: `The invoice ${number} is noted.` };
  },
});

export const CORRECTION_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders/:id/correct', access: 'service.write', handle: editor.open },
  { method: 'POST', path: '/orders/:id/correct', access: 'service', handle: editor.save },
  { method: 'GET', path: '/orders/:id/invoice', access: 'orders.write', handle: invoiceEditor.open },
  { method: 'POST', path: '/orders/:id/invoice', access: 'orders', handle: invoiceEditor.save },
];
