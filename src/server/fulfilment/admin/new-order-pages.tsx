import { sentenceOf } from '#domain/buying/rules.ts';
import { toRupees } from '#domain/money.ts';
import { addressLines } from '#domain/order.ts';
import { PAID_ORDER } from '#domain/order-status.ts';
import { phoneKeys } from '#domain/same-customer.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { FormField, PostForm } from '#server/admin/forms/Form.tsx';
import type { Field } from '#server/admin/forms/field.ts';
import { sentText } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { NEW_ORDER, orderPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Button, Lines, Notice, Row } from '#server/admin/views/pieces.tsx';
import { blocksOf } from '#server/customers/stored-blocks.ts';
import { findCredentials, findCustomer, lockCustomer } from '#server/customers/stored-customers.ts';
import type { Reader } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { ORDER_EMAILS } from '#server/fulfilment/emails.ts';
import { Refusal } from '#server/http/refusal.ts';
import { priceOrder, storeOrder } from '#server/orders/create-order.ts';
import { storeExtras } from '#server/orders/order-extras.ts';
import { setStatus, updateOrder } from '#server/orders/stored-orders.ts';
import type { Customer, Services } from '#server/services/services.ts';
import { extrasIn } from './correction-pages.tsx';
import { type Draft, readOrderForm, showOrderForm, WAYS } from './new-order-form.tsx';
import { Goods, PLACED } from './order-page.tsx';
import { BlockNotice, renderOthers } from './other-orders.tsx';

/*
 * An order that the staff take by phone or message. The form, and the page that asks before it is placed, have one form key:
 * however often it is sent, and from whichever page, it is one order.
 */

/** Accounts with this email, or with an order for this phone. The staff choose one: both were only dictated. */
async function accountsOf(db: Reader, { output }: Draft): Promise<Customer[]> {
  const named = output.email ? await findCredentials(db, output.email) : undefined;
  const phones = phoneKeys(output.phone);
  const ordered = await db.rows(
    q
      .selectFrom('orders')
      .select('customerId')
      .distinct()
      .where('phone', 'in', phones)
      .where('customerId', 'is not', null)
      .limit(5),
  );
  const ids = new Set([
    ...(named ? [named.id] : []),
    ...ordered.flatMap(({ customerId }) => customerId ?? []),
  ]);
  const found = await Promise.all([...ids].map((id) => findCustomer(db, id)));
  return found.flatMap((customer) => customer ?? []);
}

/** Accepted with the rules that an order breaks. */
const BLOCKED = 'blocked';

/** The fields of the page that asks, which the form does not have. */
const OF_QUESTION = ['step', 'expected', 'accepted', 'account'];

/** Asks whose order it is, if there is a choice. */
const accountField = (accounts: readonly Customer[]): Field => ({
  label: 'Whose order is it?',
  hint: 'The customer of an account sees the order and its address.',
  control: 'radios',
  options: [
    { value: '', label: 'Without an account' },
    ...accounts.map(({ id, email, emailVerified }) => ({
      value: id,
      label: `The account ${email}${emailVerified ? '' : ', whose email is not confirmed'}`,
    })),
  ],
});

/** Shows what the order costs now and which rules it breaks, before it is placed. Takes nothing from the stock. */
async function ask(context: AdminContext, services: Services, draft: Draft, problem = ''): Promise<Response> {
  const { sent, output, request, byStaff } = draft;
  const { db } = services;
  const priced = await db
    .write((transaction) => priceOrder(services, transaction, request, { byStaff }))
    .catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 422) return error.message;
      throw error;
    });
  if (typeof priced === 'string') return showOrderForm(context, services, sent, new Map([['lines', priced]]));
  const { items, lines, total, broken } = priced;
  const problems = [...broken.products, ...broken.postalCode];
  const accounts = await accountsOf(db, draft);
  const address = request.shippingAddress;
  const named = [{ id: null, email: output.email }, ...accounts];
  const found = await Promise.all(
    named.map(({ id, email }) => blocksOf(db, { customerId: id, email, address }, services.clock())),
  );
  const blocks = [...new Map(found.flat().map((block) => [block.id, block])).values()];
  const accepted = [...problems.map(({ code }) => code), ...(blocks.length > 0 ? [BLOCKED] : [])];
  const input = [...sent].flatMap(([name, value]) =>
    OF_QUESTION.includes(name) ? [] : [[name, String(value)] as const],
  );
  return showPage(context, {
    title: 'Place this order?',
    content: (
      <>
        {problem && (
          <Notice isAlert>
            <p>{problem}</p>
          </Notice>
        )}
        <BlockNotice blocks={blocks} />
        {problems.length > 0 && (
          <Notice id="rules" title="A customer could not order this">
            <p>
              <Lines of={problems.map((each) => sentenceOf(each))} />
            </p>
          </Notice>
        )}
        <Goods caption="At the prices of now" items={items} amounts={{ lines, total }}>
          {WAYS[output.way]}
        </Goods>
        <p>
          <Lines of={[...addressLines(address), address.phone, output.email]} />
          <Lines of={['', ...extrasIn(output).map(([, text]) => text)]} />
        </p>
        <PostForm
          action={NEW_ORDER}
          hidden={[...input, ['expected', toRupees(total)], ['accepted', accepted.join(' ')]]}
        >
          {accounts.length > 0 && (
            <FormField
              name="account"
              field={accountField(accounts)}
              values={{ account: sentText(sent, 'account') }}
            />
          )}
          <Row>
            <Button name="step" value="place">
              {accepted.length > 0 ? 'Place it all the same' : 'Place the order'}
            </Button>
            <Button variant="quiet" name="step" value="change">
              Change it
            </Button>
          </Row>
        </PostForm>
        {await renderOthers(services, { customerId: null, address })}
      </>
    ),
    status: problem ? 409 : 200,
  });
}

/** Places the order as POST /orders does. What has changed since the page was shown is asked again. */
function place(context: AdminContext, services: Services, draft: Draft): Promise<Response> {
  const { sent, output, request, byStaff } = draft;
  const askAgain = (problem: string) => new ChangeAborted(() => ask(context, services, draft, problem));
  return change(context, services, async (transaction, log) => {
    const customerId = sentText(sent, 'account') || null;
    const account = customerId === null ? undefined : await lockCustomer(transaction, customerId);
    if (customerId !== null && !account) throw askAgain('This account was deleted meanwhile. Choose again.');
    const email = account?.email ?? output.email;
    const { shippingAddress: address } = request;
    const blocks = await blocksOf(transaction, { customerId, email, address }, services.clock());
    if (blocks.length > 0 && !byStaff.accepted.includes(BLOCKED))
      throw askAgain('This customer was blocked meanwhile.');
    const contactEmail = customerId === null && output.email ? output.email : null;
    const orderer = { customerId, contactEmail, byStaff };
    const { number, order } = await storeOrder(services, transaction, orderer, request).catch(
      (error: unknown) => {
        throw error instanceof Refusal ? askAgain(error.message) : error;
      },
    );
    const { id, number: shownNumber } = order;
    await storeExtras(transaction, number, new Map(extrasIn(output).filter(([, text]) => text !== '')));
    if (output.way === 'door') {
      await updateOrder(transaction, number, { paidAtDoor: 1 });
      await setStatus(transaction, number, PAID_ORDER, services.clock());
    }
    await queueEmail(transaction, services, ORDER_EMAILS.placed, id);
    // The log cannot be erased, so it names no person.
    const rules = byStaff.accepted.filter(Boolean).join(', ');
    const to = { account: account ? 'yes' : 'no', paid: WAYS[output.way], ...(rules && { despite: rules }) };
    await log({ action: PLACED, target: ['order', id], to });
    services.metrics?.orderPlaced();
    const isBooked = output.way === 'paid' && context.get('mayOpen')(`${orderPath(id)}/payment`, 'POST');
    return {
      to: isBooked ? `${orderPath(id)}/payment` : orderPath(id),
      message: `Order ${shownNumber} is placed.${isBooked ? ' Now book what was paid.' : ''}`,
    };
  });
}

async function send(context: AdminContext, services: Services): Promise<Response> {
  const sent = context.get('form');
  const step = sentText(sent, 'step');
  if (step !== 'look' && step !== 'place') return showOrderForm(context, services, sent);
  const draft = await readOrderForm(services, sent);
  if ('errors' in draft) return showOrderForm(context, services, sent, draft.errors);
  return step === 'place' ? place(context, services, draft) : ask(context, services, draft);
}

export const NEW_ORDER_PAGES: readonly AdminPage[] = [
  {
    method: 'GET',
    path: '/orders/new',
    access: 'service.write',
    handle: (context, services) => showOrderForm(context, services, new FormData()),
  },
  { method: 'POST', path: '/orders/new', access: 'service', handle: send },
];
