import { html } from 'hono/html';
import * as v from 'valibot';
import { EmailSchema } from '#scripts/api/customers/schema.ts';
import type { Reader } from '#scripts/api/db/database.ts';
import { noLettersNotice } from '#scripts/api/letters/pages.ts';
import { change } from '#scripts/api/office/change.ts';
import { recordChange } from '#scripts/api/office/change-log.ts';
import { csvFile, csvLine } from '#scripts/api/office/csv.ts';
import { drawForm, type FormView, hiddenInputs } from '#scripts/api/office/forms/draw.ts';
import { defineForm, parseForm } from '#scripts/api/office/forms/parse.ts';
import { type OfficeContext, type OfficePage, staffOf } from '#scripts/api/office/page.ts';
import { NEWSLETTER } from '#scripts/api/office/paths.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { isoTime } from '#scripts/program/clock.ts';
import { leaveAddress } from './leave-link.ts';
import {
  countSubscribers,
  findSubscriber,
  leaveNewsletter,
  type Subscriber,
  subscribersAfter,
} from './stored-subscribers.ts';

/** How many addresses are in memory at a time. */
const A_TURN = 1_000;

const form = defineForm(v.object({ email: EmailSchema }), {
  email: { label: 'Email to unsubscribe', control: 'email', autocomplete: 'off' },
});

async function showNewsletter(
  context: OfficeContext,
  shop: Shop,
  state: Pick<FormView, 'typed' | 'mistakes'> = {},
) {
  const { subscribed, asked, gone } = await countSubscribers(shop.db);
  const hasErrors = state.mistakes !== undefined;
  return showPage(context, {
    title: 'Newsletter',
    content: html`${noLettersNotice(shop, 'So nobody can ask for the newsletter.')}<p><strong>${subscribed}</strong> ${subscribed === 1 ? 'address gets' : 'addresses get'} the newsletter; ${asked} did not confirm yet, ${gone} left.</p>
<p>You send the newsletter by a program of your own. Download the addresses anew for each, because some leave in between, and put the <em>Leave link</em> of each
address into its letter. Where your program asks for a <code>List-Unsubscribe</code> address, it is the same link. The log tells who downloaded.</p>
<form method="post" action="${NEWSLETTER}/export">${hiddenInputs(shop)}<button>Download the addresses</button></form>
<h2>Somebody wrote to you to leave</h2>
${drawForm(shop, { fields: form.fields, action: `${NEWSLETTER}/leave`, submit: 'Take the address off', ...state })}`,
    status: hasErrors ? 422 : 200,
    hasErrors,
  });
}

/** The columns of the file. A new one is a line here. */
const COLUMNS: Readonly<Record<string, (subscriber: Subscriber, shop: Shop) => string>> = {
  Email: ({ email }) => email,
  Language: ({ language }) => language ?? 'en',
  Confirmed: ({ confirmedAt }) => (confirmedAt === null ? '' : isoTime(confirmedAt)),
  'Leave link': ({ leaveToken }, { apiOrigin }) => leaveAddress(apiOrigin, leaveToken),
};

/** Reads the addresses in turns, so that a large file neither fills the memory nor holds up other requests. */
async function* partsOf(shop: Shop, db: Reader): AsyncGenerator<string> {
  yield csvLine(Object.keys(COLUMNS));
  for (let last = ''; ; ) {
    const subscribers = await subscribersAfter(db, last, A_TURN);
    yield subscribers
      .map((subscriber) => csvLine(Object.values(COLUMNS).map((column) => column(subscriber, shop))))
      .join('');
    last = subscribers.at(-1)?.email ?? last;
    if (subscribers.length < A_TURN) return;
  }
}

/** The log gets a line before the first byte is sent (faults 124). */
async function download(context: OfficeContext, shop: Shop): Promise<Response> {
  const { id, email } = staffOf(context);
  const { subscribed } = await countSubscribers(shop.db);
  await shop.db.write((transaction) =>
    recordChange(transaction, { id, who: email }, shop.clock(), {
      action: 'downloaded',
      target: ['newsletter', 'CSV'],
      to: { addresses: subscribed },
    }),
  );
  return csvFile('newsletter', partsOf(shop, shop.db));
}

async function takeOff(context: OfficeContext, shop: Shop): Promise<Response> {
  const parsed = parseForm(form, context.get('form'));
  if (!parsed.isGood) return showNewsletter(context, shop, parsed);
  const { email } = parsed.values;
  if (!(await findSubscriber(shop.db, email))) {
    const mistakes = new Map([['email', 'Nobody asked for the newsletter with this email']]);
    return showNewsletter(context, shop, { typed: parsed.typed, mistakes });
  }
  return change(context, shop, async (transaction, log) => {
    await leaveNewsletter(transaction, email, shop.clock());
    // Nobody can change the log, so it does not name who wants to be forgotten.
    await log({ action: 'took off', target: ['newsletter', 'an address'] });
    return { to: NEWSLETTER, message: 'The address gets no newsletter any more.' };
  });
}

const access = 'customers';

export const NEWSLETTER_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/newsletter', access, handle: (context, shop) => showNewsletter(context, shop) },
  { method: 'POST', path: '/newsletter/export', access, handle: download },
  { method: 'POST', path: '/newsletter/leave', access, handle: takeOff },
];
