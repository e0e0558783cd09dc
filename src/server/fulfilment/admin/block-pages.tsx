import type { ReactNode } from 'react';
import * as v from 'valibot';
import { addressKey, phoneKeys } from '#domain/same-customer.ts';
import { change } from '#server/admin/change.ts';
import { ButtonForm } from '#server/admin/forms/Form.tsx';
import { type Errors, type FormState, text, type Values } from '#server/admin/forms/field.ts';
import { defineForm, parseForm } from '#server/admin/forms/parse.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { BLOCKS, CUSTOMERS, orderPath } from '#server/admin/paths.ts';
import { showForm } from '#server/admin/views/Page.tsx';
import { Table, Time } from '#server/admin/views/pieces.tsx';
import { addBlock, currentBlocks, isErasedKey, keysOf, liftBlock } from '#server/customers/stored-blocks.ts';
import { findCredentials, findCustomer } from '#server/customers/stored-customers.ts';
import { Refusal } from '#server/http/refusal.ts';
import { DAY } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { detailsForm } from './correction-pages.tsx';
import { DaySchema, endOfDay, orderById } from './listed-orders.ts';
import { SCOPES } from './other-orders.tsx';

const MAX_SHOWN = 200;

/** Who is blocked is looked at again after a year at most. */
const MAX_DAYS = 366;

const INCOMPLETE = 'Enter the address and its PIN code, or neither';

const form = defineForm(
  v.pipe(
    v.object({
      email: detailsForm.schema.entries.email,
      phone: v.pipe(
        text(40),
        v.check((phone) => phone === '' || phoneKeys(phone).length > 0, 'has no digits'),
      ),
      address: text(500),
      postalCode: text(20),
      scope: v.picklist(['cash', 'orders'], 'Choose what is blocked'),
      until: v.pipe(DaySchema, v.nonEmpty('must be a day')),
      reason: v.pipe(text(200), v.nonEmpty('must say why')),
    }),
    v.forward(
      v.partialCheck(
        [['address'], ['postalCode']],
        (given) => (given.address === '' && given.postalCode === '') || addressKey(given) !== '',
        INCOMPLETE,
      ),
      ['address'],
    ),
    v.forward(
      v.partialCheck(
        [['email'], ['phone'], ['address']],
        ({ email, phone, address }) => email !== '' || phone !== '' || address !== '',
        'Enter an email, a phone or an address',
      ),
      ['email'],
    ),
  ),
  {
    email: {
      label: 'Email of the account',
      hint: 'Another account with this mailbox is blocked, too.',
      control: 'text',
      autocomplete: 'off',
      isOptional: true,
    },
    phone: { ...detailsForm.fields.phone, isOptional: true },
    address: {
      ...detailsForm.fields.address,
      label: 'Address, without city and state',
      hint: 'Capitals, blanks and commas do not matter.',
      isOptional: true,
    },
    postalCode: { ...detailsForm.fields.postalCode, isOptional: true },
    scope: {
      label: 'What is blocked?',
      control: 'radios',
      options: [
        { value: 'cash', label: 'Cash on delivery' },
        { value: 'orders', label: 'All orders, and cash for those that were placed' },
      ],
    },
    until: { label: 'Last day', control: 'date' },
    reason: {
      label: 'Reason',
      hint: 'The staff read it. The customer reads it only in the file of personal data.',
      control: 'text',
      autocomplete: 'off',
    },
  },
);

/** The form as a link from an order or an account fills it. */
async function filledIn(context: AdminContext, { db }: Services): Promise<Values> {
  const { order: orderId = '', customer: customerId = '' } = context.req.query();
  const order = orderId ? await orderById(db, orderId) : undefined;
  const email = order ? order.email : (await findCustomer(db, customerId))?.email;
  const { phone = '', address = '', postalCode = '' } = order?.address ?? {};
  return { email: email ?? '', phone, address, postalCode, scope: 'cash' };
}

async function renderList({ db, clock }: Services): Promise<ReactNode> {
  const blocks = await currentBlocks(db, clock(), MAX_SHOWN);
  return (
    <>
      <h2>Blocked now</h2>
      <Table
        empty="Nobody."
        caption="Those that end soonest first"
        heads={['Who', 'What', 'Until', 'Reason', 'By', 'End it']}
        rows={blocks.map(({ id, kind, key, scope, endsAt, reason, who, createdAt }) => [
          `${kind}: ${isErasedKey(key) ? 'erased with its account' : key}`,
          SCOPES[scope],
          <Time at={endsAt} />,
          reason,
          <>
            {who}
            <br />
            <Time at={createdAt} />
          </>,
          <ButtonForm action={`${BLOCKS}/${id}/lift`}>Lift</ButtonForm>,
        ])}
      />
    </>
  );
}

const show = async (context: AdminContext, services: Services, state: FormState = {}) =>
  showForm(context, {
    title: 'Blocks',
    intro: (
      <>
        <p>
          Leave empty what you do not want to block. A blocked customer is asked to pay online or to contact
          you, and sees no reason. Earlier orders stay as they are: they can still be paid online, and you can
          cancel them.
        </p>
        <p>
          If the account is deleted, its blocks stay until their last day, as a fingerprint and without the
          reason.
        </p>
      </>
    ),
    fields: form.fields,
    action: BLOCKS,
    submit: 'Block',
    back: CUSTOMERS,
    hidden: { order: context.req.query('order') ?? '' },
    values: await filledIn(context, services),
    ...state,
    below: await renderList(services),
  });

async function add(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(form, context.get('form'));
  if (!parsed.isValid) return show(context, services, parsed);
  const { email, phone, address, postalCode, scope, until, reason } = parsed.output;
  const [now, endsAt] = [services.clock(), endOfDay(until)];
  if (endsAt <= now || endsAt > now + MAX_DAYS * DAY) {
    const errors: Errors = new Map([['until', 'Choose a last day from today to a year ahead']]);
    return show(context, services, { values: parsed.values, errors });
  }
  const account = email ? await findCredentials(services.db, email) : undefined;
  const order = await orderById(services.db, String(context.get('form').get('order') ?? ''));
  return change(context, services, async (transaction, log) => {
    const keys = keysOf({ email, address: { phone, address, postalCode } });
    const customerId = order?.customerId ?? account?.id ?? null;
    const row = { scope, reason, customerId, who: staffOf(context).email, createdAt: now, endsAt };
    for (const { kind, key } of keys) await addBlock(transaction, { ...row, kind, key });
    // The log cannot be erased, so it names no person and no reason.
    const kinds = keys.map(({ kind }) => kind).join(', ');
    const target = order ? (['order', order.id] as const) : (['blocks', kinds] as const);
    await log({ action: 'blocked', target, to: { who: kinds, what: SCOPES[scope], until } });
    return {
      to: order ? orderPath(order.id) : BLOCKS,
      message: `${SCOPES[scope]} until ${until}: ${kinds}.`,
    };
  });
}

function lift(context: AdminContext, services: Services): Promise<Response> {
  return change(context, services, async (transaction, log) => {
    const block = await liftBlock(transaction, context.req.param('id') ?? '', services.clock());
    if (!block) throw new Refusal(404, 'There is no such block. Perhaps it has ended.');
    await log({
      action: 'lifted a block',
      target: ['blocks', block.kind],
      from: { what: SCOPES[block.scope] },
    });
    return { to: BLOCKS, message: `The block of this ${block.kind} is lifted.` };
  });
}

const access = 'customers';

export const BLOCK_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/customers/blocks', access, handle: show },
  { method: 'POST', path: '/customers/blocks', access, handle: add },
  { method: 'POST', path: '/customers/blocks/:id/lift', access, handle: lift },
];
