import * as v from 'valibot';
import { canonicalEmail } from '#domain/email.ts';
import { plural } from '#domain/text.ts';
import { change, logDownload } from '#server/admin/change.ts';
import { ButtonForm, DangerForm } from '#server/admin/forms/Form.tsx';
import { type FormState, text } from '#server/admin/forms/field.ts';
import { defineForm, parseForm, sentText } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { BLOCKS, CUSTOMERS, customerPath, ORDERS, orderPath } from '#server/admin/paths.ts';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { LinkButton, Row, Time, TouchLink } from '#server/admin/views/pieces.tsx';
import { ACCOUNT_EMAILS, RESET } from '#server/customers/emails.ts';
import { endSessionsOf } from '#server/customers/sessions.ts';
import { addNote, notesOnCustomer, StaffNotes } from '#server/customers/staff-notes.tsx';
import { blocksOf } from '#server/customers/stored-blocks.ts';
import { findCredentials, findCustomer } from '#server/customers/stored-customers.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { BlockNotice } from '#server/fulfilment/admin/other-orders.tsx';
import { eraseContact, ofContact } from '#server/fulfilment/order-privacy.ts';
import { textFile } from '#server/http/documents.ts';
import { Refusal } from '#server/http/refusal.ts';
import { ORDER, ORDER_JSON, type StoredOrder } from '#server/orders/stored-orders.ts';
import type { Customer, Services } from '#server/services/services.ts';
import { contactDataFile, deleteAccount, personalDataFile } from './personal-data.ts';

const form = defineForm(v.object({ contact: v.pipe(text(200), v.nonEmpty()) }), {
  contact: {
    label: 'Email of the customer',
    hint: 'Of one without an account, also the phone.',
    control: 'text',
    autocomplete: 'off',
  },
});

const showSearch = (context: AdminContext, state: FormState = {}) =>
  showForm(context, {
    title: 'Customers',
    intro: (
      <>
        <p>For a customer who asks what you store about them, wants it deleted, or has lost a phone.</p>
        <p>
          <TouchLink href={BLOCKS}>Blocks: from whom you take no cash, or no orders</TouchLink>
        </p>
      </>
    ),
    fields: form.fields,
    action: `${CUSTOMERS}/search`,
    submit: 'Find',
    ...state,
  });

async function search(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(form, context.get('form'));
  if (!parsed.isValid) return showSearch(context, parsed);
  const { contact } = parsed.output;
  const account = await findCredentials(services.db, canonicalEmail(contact));
  const orders = await services.db.rows(
    ORDER.where(ofContact(contact)).orderBy('number', 'desc').limit(MAX_ORDERS),
    ORDER_JSON,
  );
  if (account && orders.length === 0) return context.redirect(customerPath(account.id), 303);
  if (orders.length > 0) return showContact(context, contact, orders, account?.id);
  const errors = new Map([['contact', 'No account has this email, and no order without an account']]);
  return showSearch(context, { values: parsed.values, errors });
}

const MAX_ORDERS = 50;

/** The orders of somebody without an account. @param accountId of an account with the same email, which need not be the same person's */
const showContact = (
  context: AdminContext,
  contact: string,
  orders: readonly StoredOrder[],
  accountId: string | undefined,
) =>
  showPage(context, {
    title: 'Orders without an account',
    content: (
      <>
        {accountId && (
          <p>
            <TouchLink href={customerPath(accountId)}>There is also an account with this email</TouchLink>
          </p>
        )}
        <ul>
          {orders.map(({ id, shownNumber, createdAt, address }) => (
            <li key={id}>
              <TouchLink href={orderPath(id)}>{shownNumber}</TouchLink> <Time at={createdAt} />,{' '}
              {address.fullName}
            </li>
          ))}
        </ul>
        <p>
          Anybody may know an email or a phone. Make sure that who asks is the customer, such as by the end of
          an order&#39;s number.
        </p>
        <ButtonForm action={`${CUSTOMERS}/contact/data`} hidden={{ contact }}>
          Download everything that is stored
        </ButtonForm>
        <DangerForm action={`${CUSTOMERS}/contact/erase`} hidden={{ contact }} summary="Erase them">
          Yes, erase name, address, phone and email of those that are over
        </DangerForm>
      </>
    ),
  });

/** The log cannot be erased, so it does not name the email or the phone. */
async function downloadContact(context: AdminContext, services: Services): Promise<Response> {
  await logDownload(context, services, { target: ['customer', 'without an account'] });
  const contact = sentText(context.get('form'), 'contact');
  return textFile('customer.json', 'application/json', contactDataFile(services.db, contact));
}

const erase = (context: AdminContext, services: Services): Promise<Response> =>
  change(context, services, async (transaction, log) => {
    const contact = sentText(context.get('form'), 'contact');
    const orders = await eraseContact(transaction, contact, services.clock());
    await log({ action: 'erased', target: ['customer', 'without an account'], to: { orders } });
    const rest = 'Others are not over yet, or something is to pay or to refund: erase them then.';
    return { to: CUSTOMERS, message: `${plural(orders, 'order')} erased. ${rest}` };
  });

function refuseMissing(): never {
  throw new Refusal(404, 'There is no such account. Perhaps it was deleted.');
}

const customerOf = async (context: AdminContext, services: Services): Promise<Customer> =>
  (await findCustomer(services.db, context.req.param('id') ?? '')) ?? refuseMissing();

async function showCustomer(context: AdminContext, services: Services) {
  const { id, email, firstName, lastName, createdAt } = await customerOf(context, services);
  const path = customerPath(id);
  return showPage(context, {
    title: `${firstName} ${lastName}`.trim() || email,
    content: (
      <>
        <p>
          <TouchLink href={`mailto:${encodeURIComponent(email)}`}>{email}</TouchLink>
          <br />
          Customer since <Time at={createdAt} />
        </p>
        <BlockNotice blocks={await blocksOf(services.db, { customerId: id, email }, services.clock())} />
        <Row>
          <LinkButton href={`${ORDERS}?customer=${id}`}>Orders</LinkButton>
          <LinkButton href={`${BLOCKS}?customer=${id}`}>Block …</LinkButton>
        </Row>
        <StaffNotes notes={await notesOnCustomer(services.db, id)} action={`${path}/note`} />
        <h2>Everything that is stored</h2>
        <p>
          A file to send to the customer: the account, orders, payments and emails. The log shows that you
          downloaded it.
        </p>
        <ButtonForm action={`${path}/data`}>Download the file</ButtonForm>
        <h2>A lost phone</h2>
        <p>Ends all sessions of this account. The password stays.</p>
        <ButtonForm action={`${path}/sign-out`}>Sign out everywhere</ButtonForm>
        {services.settings.mail && (
          <>
            <h2>A forgotten password</h2>
            <p>
              The customer gets an email with a link to choose a new one. It works once, for {RESET.minutes}{' '}
              minutes, and the staff cannot see it.
            </p>
            <ButtonForm action={`${path}/password-link`}>Send the link</ButtonForm>
          </>
        )}
        <h2>Delete the account</h2>
        <p>
          Open orders are still delivered. The goods, amounts, dates and places of all orders stay, as tax law
          requires; name, address and phone are erased as soon as an order is finished. This cannot be undone.
        </p>
        <DangerForm action={`${path}/delete`} summary="Delete this account">
          Yes, delete the account of {email}
        </DangerForm>
      </>
    ),
  });
}

async function download(context: AdminContext, services: Services): Promise<Response> {
  const customer = await customerOf(context, services);
  await logDownload(context, services, { target: ['customer', customer.id] });
  return textFile(
    `customer-${customer.id}.json`,
    'application/json',
    personalDataFile(services.db, customer, true),
  );
}

async function noteOnCustomer(context: AdminContext, services: Services): Promise<Response> {
  const { id: customerId } = await customerOf(context, services);
  return addNote(context, services, { customerId }, ['customer', customerId]);
}

async function signOut(context: AdminContext, services: Services): Promise<Response> {
  const { id } = await customerOf(context, services);
  return change(context, services, async (transaction, log) => {
    const sessions = await endSessionsOf(transaction, id);
    await log({ action: 'signed out everywhere', target: ['customer', id], to: { sessions } });
    return { to: customerPath(id), message: `${sessions} sessions were ended.` };
  });
}

async function sendLink(context: AdminContext, services: Services): Promise<Response> {
  const { id, email } = await customerOf(context, services);
  return change(context, services, async (transaction, log) => {
    await queueEmail(transaction, services, ACCOUNT_EMAILS.reset, email);
    await log({ action: 'sent a password link', target: ['customer', id] });
    return { to: customerPath(id), message: 'The link is on its way.' };
  });
}

async function remove(context: AdminContext, services: Services): Promise<Response> {
  const { id } = await customerOf(context, services);
  return change(context, services, async (transaction, log) => {
    if (!(await deleteAccount(transaction, services, id))) refuseMissing();
    await log({ action: 'deleted', target: ['customer', id] });
    return { to: CUSTOMERS, message: 'The account was deleted.' };
  });
}

const access = 'customers';

export const CUSTOMER_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/customers', access, handle: (context) => showSearch(context) },
  { method: 'POST', path: '/customers/search', access: 'customers.read', handle: search },
  { method: 'POST', path: '/customers/contact/data', access, handle: downloadContact },
  { method: 'POST', path: '/customers/contact/erase', access, handle: erase },
  { method: 'GET', path: '/customers/:id', access, handle: showCustomer },
  { method: 'POST', path: '/customers/:id/data', access, handle: download },
  { method: 'POST', path: '/customers/:id/note', access, handle: noteOnCustomer },
  { method: 'POST', path: '/customers/:id/sign-out', access, handle: signOut },
  { method: 'POST', path: '/customers/:id/password-link', access, handle: sendLink },
  { method: 'POST', path: '/customers/:id/delete', access, handle: remove },
];
