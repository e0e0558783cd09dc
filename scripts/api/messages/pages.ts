import { html } from 'hono/html';
import * as v from 'valibot';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { queueLetter } from '#scripts/api/letters/outbox.ts';
import { noLettersNotice } from '#scripts/api/letters/pages.ts';
import { senderOf } from '#scripts/api/letters/sender.ts';
import { change, NotDone } from '#scripts/api/office/change.ts';
import { drawForm, type FormView, hiddenInputs } from '#scripts/api/office/forms/draw.ts';
import { defineForm, parseForm } from '#scripts/api/office/forms/parse.ts';
import { type OfficeContext, type OfficePage, staffOf } from '#scripts/api/office/page.ts';
import { MESSAGES } from '#scripts/api/office/paths.ts';
import type { Content, Html } from '#scripts/api/office/views/html.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { table, time } from '#scripts/api/office/views/pieces.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { MESSAGE_LETTERS } from './letters.ts';
import { linesOf } from './schema.ts';
import {
  countMessages,
  doneMessages,
  findMessage,
  finishMessage,
  isLate,
  type Message,
  soughtMessages,
  waitingMessages,
} from './stored-messages.ts';

/** How many messages of each kind the list has. */
const LISTED = 25;

const answerForm = defineForm(v.object({ answer: linesOf('answer') }), {
  answer: { label: 'Your answer', control: 'textarea', rows: 8 },
});

const searchForm = defineForm(
  v.object({
    sought: v.pipe(v.string(), v.trim(), v.nonEmpty('Enter a ticket number or an email'), v.maxLength(200)),
  }),
  { sought: { label: 'Ticket number or email', control: 'text', autocomplete: 'off' } },
);

const pathOf = ({ ticket }: Pick<Message, 'ticket'>): string => `${MESSAGES}/${ticket}`;

function stateOf(message: Message, now: number): Content {
  const { answeredAt, answer } = message;
  if (answeredAt !== null)
    return html`${answer ? 'Answered' : 'Closed without an answer'} ${time(answeredAt)}`;
  return isLate(message, now) ? html`<strong>Late</strong>` : 'Waits';
}

const rowOf = (now: number) => (message: Message) => [
  html`<a class="touch" href="${pathOf(message)}">${message.subject}</a>`,
  message.name,
  time(message.createdAt),
  stateOf(message, now),
];

const list = (caption: string, messages: readonly Message[], now: number): Content =>
  messages.length === 0
    ? ''
    : table(caption, ['Subject', 'From', 'Written', 'State'], messages.map(rowOf(now)));

const drawSearch = (shop: Shop, state: Pick<FormView, 'typed' | 'mistakes'>): Html =>
  drawForm(shop, { fields: searchForm.fields, action: `${MESSAGES}/search`, submit: 'Find', ...state });

async function showList(context: OfficeContext, shop: Shop) {
  const { db, clock } = shop;
  const now = clock();
  const [waiting, done, counts] = await Promise.all([
    waitingMessages(db, LISTED),
    doneMessages(db, LISTED),
    countMessages(db, now),
  ]);
  return showPage(context, {
    title: 'Messages',
    content: html`${noLettersNotice(shop, 'So the contact form sends nothing here, and no answer goes out.')}<p>What customers write by the contact form. ${counts.waiting} wait for an answer, ${counts.late} of them for more than 48 hours.</p>
${list('Waiting, the oldest first', waiting, now)}${list('Done last', done, now)}
<h2>Find a message</h2>
${drawSearch(shop, {})}`,
  });
}

async function search(context: OfficeContext, shop: Shop): Promise<Response> {
  const parsed = parseForm(searchForm, context.get('form'));
  const found = parsed.isGood ? await soughtMessages(shop.db, parsed.values.sought, LISTED) : [];
  const mistakes = parsed.isGood
    ? new Map([['sought', 'No message has this ticket number or email']])
    : parsed.mistakes;
  const isFound = found.length > 0;
  return showPage(context, {
    title: 'Find a message',
    content: html`${list('Found, the newest first', found, shop.clock())}
${drawSearch(shop, { typed: parsed.typed, ...(!isFound && { mistakes }) })}`,
    status: isFound ? 200 : 422,
    hasErrors: !isFound,
  });
}

async function messageNamed(context: OfficeContext, { db }: Shop): Promise<Message> {
  const message = await findMessage(db, context.req.param('ticket') ?? '');
  if (!message) throw new Refusal(404, 'There is no such message. Perhaps it was too old to be kept.');
  return message;
}

const lines = (text: string): Html => html`<p>${text.split('\n').map((line) => html`${line}<br>`)}</p>`;

async function drawAnswer(shop: Shop, message: Message, state: Pick<FormView, 'typed' | 'mistakes'>) {
  const { answeredAt, answeredBy, answer, email } = message;
  if (answeredAt !== null) {
    const what = html`<p>${answeredBy}, ${time(answeredAt)}</p>`;
    return answer
      ? html`<h2>Answer</h2>${what}${lines(answer)}`
      : html`<h2>Closed without an answer</h2>${what}`;
  }
  const { companyEmail } = await senderOf(shop);
  return html`<h2>Answer</h2><p>It goes to ${email} as a letter, with a greeting above it and the message below. If the customer writes back, that mail goes to
${companyEmail || 'the address that letters come from'}, not to this page.</p>
${drawForm(shop, { fields: answerForm.fields, action: `${pathOf(message)}/answer`, submit: 'Send the answer', ...state })}
<details><summary>It needs no answer</summary><form method="post" action="${pathOf(message)}/close">${hiddenInputs(shop)}
<button class="quiet">Close it without an answer</button></form></details>`;
}

const drawUnsent = (unsent: string | undefined): Content =>
  unsent === undefined
    ? ''
    : html`<section class="notice" role="alert"><p>Somebody else was quicker, so nothing was sent.${unsent && ' You had written:'}</p>
${unsent && lines(unsent)}</section>`;

/** @param unsent an answer that was not sent, because somebody else was quicker */
async function showMessage(
  context: OfficeContext,
  shop: Shop,
  { unsent, ...state }: Pick<FormView, 'typed' | 'mistakes'> & { unsent?: string } = {},
): Promise<Response> {
  const message = await messageNamed(context, shop);
  const { subject, name, email, ticket, createdAt } = message;
  return showPage(context, {
    title: subject,
    content: html`${drawUnsent(unsent)}<p>${stateOf(message, shop.clock())}. Ticket ${ticket}, written ${time(createdAt)}<br>
${name}, <a class="touch" href="mailto:${encodeURIComponent(email)}">${email}</a></p>
${lines(message.message)}${await drawAnswer(shop, message, state)}`,
    status: unsent === undefined ? (state.mistakes ? 422 : 200) : 409,
    hasErrors: state.mistakes !== undefined,
  });
}

/** Ends the waiting of a message. Two of the staff at once: the second is told, and no second letter goes out. */
async function finish(context: OfficeContext, shop: Shop, answer: string): Promise<Response> {
  const { ticket } = await messageNamed(context, shop);
  const { email: answeredBy } = staffOf(context);
  return change(context, shop, async (transaction, log) => {
    const done = await finishMessage(transaction, { ticket, answer, answeredBy, at: shop.clock() });
    if (done === 0) throw new NotDone(() => showMessage(context, shop, { unsent: answer }));
    if (answer) await queueLetter(transaction, shop, MESSAGE_LETTERS.answered, ticket);
    await log({ action: answer ? 'answered' : 'closed without an answer', target: ['message', ticket] });
    const message = answer ? 'The answer is being sent.' : 'The message was closed without an answer.';
    return { to: MESSAGES, message };
  });
}

function sendAnswer(context: OfficeContext, shop: Shop): Promise<Response> {
  const parsed = parseForm(answerForm, context.get('form'));
  if (!parsed.isGood) return showMessage(context, shop, parsed);
  return finish(context, shop, parsed.values.answer);
}

const access = 'messages';

export const MESSAGE_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/messages', access, handle: showList },
  { method: 'POST', path: '/messages/search', access, handle: search },
  {
    method: 'GET',
    path: '/messages/:ticket',
    access,
    handle: (context, shop) => showMessage(context, shop),
  },
  { method: 'POST', path: '/messages/:ticket/answer', access, handle: sendAnswer },
  {
    method: 'POST',
    path: '/messages/:ticket/close',
    access,
    handle: (context, shop) => finish(context, shop, ''),
  },
];
