import * as v from 'valibot';
import { isCancellable } from '#domain/order-status.ts';
import { type AddressField, eachAddressField } from '#domain/shipping-address.ts';
import { change } from '#server/admin/change.ts';
import {
  compare,
  formVersion,
  formVersionIn,
  type Parts,
  requireUnchanged,
} from '#server/admin/form-version.ts';
import type { Field, FormState } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { orderPath } from '#server/admin/paths.ts';
import { showForm } from '#server/admin/views/Page.tsx';
import { dropWaiting, queueEmail } from '#server/email/outbox.ts';
import { Refusal } from '#server/http/refusal.ts';
import { ORDER_EMAILS } from '#server/orders/emails.ts';
import { AddressSchema } from '#server/orders/schema.ts';
import { lockOrder, type StoredOrder, updateOrder } from '#server/orders/stored-orders.ts';
import {
  extraError,
  extrasFor,
  extrasOf,
  normaliseExtra,
  type OrderExtra,
  type OrderExtras,
  storeExtras,
} from '#server/payments/order-extras.ts';
import type { Services } from '#server/services/services.ts';
import { requireOrder } from './order-page.tsx';

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

const extraSchema = (extra: OrderExtra) =>
  v.pipe(
    v.string(),
    v.transform((text) => normaliseExtra(extra, text)),
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

const form = defineForm(
  v.object({
    ...eachAddressField((field) =>
      v.pipe(
        v.string(),
        v.check((text) => text.trim() !== '', 'must not be empty'),
        AddressSchema.entries[field],
      ),
    ),
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
    ...Object.fromEntries(EXTRAS.map((extra) => [inputOf(extra), extraField(extra)])),
  },
);

/** The values of the form's fields. */
const detailsOf = ({ address }: Pick<StoredOrder, 'address'>, extras: OrderExtras | undefined) => ({
  ...address,
  ...Object.fromEntries(EXTRAS.map((extra) => [inputOf(extra), extras?.get(extra.name) ?? ''])),
});

/** The values by the labels of their fields. */
const partsOf = (details: Readonly<Record<string, string>>): Parts =>
  Object.fromEntries(
    Object.entries<Field>(form.fields).map(([name, { label }]) => [label, details[name] ?? '']),
  );

/** @throws Refusal 409 once the order was shipped or cancelled */
function requireOpen<Order extends Pick<StoredOrder, 'status'>>(order: Order | undefined): Order {
  if (order && isCancellable(order)) return order;
  throw new Refusal(409, 'This order was shipped or cancelled. It can no longer be corrected.');
}

async function show(context: AdminContext, services: Services, state: FormState = {}) {
  const order = requireOpen(await requireOrder(context, services));
  const extras = await extrasOf(services.db, [order.number]);
  const details = detailsOf(order, extras.get(order.number));
  return showForm(context, {
    title: `Correct order ${order.shownNumber}`,
    intro: (
      <p>
        Possible until the order is shipped. The customer gets an email with what is delivered where. Print
        the packing slip again.
      </p>
    ),
    fields: form.fields,
    action: `${orderPath(order.id)}/correct`,
    submit: 'Save',
    hidden: formVersion(partsOf(details)),
    back: orderPath(order.id),
    typed: details,
    ...state,
  });
}

async function correct(context: AdminContext, services: Services): Promise<Response> {
  const { id } = await requireOrder(context, services);
  const sent = context.get('form');
  const parsed = parseForm(form, sent);
  if (!parsed.isValid) return show(context, services, parsed);
  const details: Readonly<Record<string, string>> = parsed.values;
  return change(context, services, async (transaction, log) => {
    const order = requireOpen(await lockOrder(transaction, id));
    const extras = (await extrasOf(transaction, [order.number])).get(order.number) ?? new Map();
    const before = partsOf(detailsOf(order, extras));
    requireUnchanged(sent, before);
    const { byYou } = compare(formVersionIn(sent), before, partsOf(details)).changed;
    if (byYou.size === 0) return { to: orderPath(id), message: 'Nothing was changed.' };
    await updateOrder(transaction, order.number, { address: v.parse(AddressSchema, details) });
    const typed = EXTRAS.map((extra) => [extra.name, details[inputOf(extra)] ?? ''] as const);
    const left = [...new Map([...extras, ...typed])].filter(([, text]) => text !== '');
    await storeExtras(transaction, order.number, new Map(left));
    // The log cannot be erased, so it names no person.
    await log({
      action: 'corrected',
      target: ['order', id],
      to: { changed: [...byYou].join(', ') },
    });
    await dropWaiting(transaction, services.clock(), [ORDER_EMAILS.corrected.kind], [id]);
    await queueEmail(transaction, services, ORDER_EMAILS.corrected, id);
    const note = services.settings.mail ? ', and the customer gets an email' : '';
    return { to: orderPath(id), message: `The order is corrected${note}.` };
  });
}

export const CORRECTION_PAGES: readonly AdminPage[] = [
  {
    method: 'GET',
    path: '/orders/:id/correct',
    access: 'orders.write',
    handle: (context, services) => show(context, services),
  },
  { method: 'POST', path: '/orders/:id/correct', access: 'orders', handle: correct },
];
