import { html } from 'hono/html';
import { LANGUAGES } from '#domain/language.ts';
import { Refusal } from '#server/http/refusal.ts';
import { change } from '#server/admin/change.ts';
import { hiddenInputs } from '#server/admin/forms/draw.ts';
import type { OfficeContext, OfficePage } from '#server/admin/page.ts';
import { LETTERS } from '#server/admin/paths.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { table, time } from '#server/admin/views/pieces.ts';
import type { Shop } from '#server/services/shop.ts';
import type { Letter } from './letter.ts';
import { countLetters, LETTER_STATES, type LetterRow, lettersIn, sendAgain } from './outbox.ts';
import { placeOf, render, senderOf, siteOf } from './render.ts';

/** How many letters of each state the page lists. */
const LISTED = 25;

/** What stands in place of a link's secret wherever a letter is shown. */
const MASKED = '••••••••';

const LANGUAGE_NAMES = { en: 'English', hi: 'Hindi' } as const;

const NO_LETTERS = 'This shop sends no letters, because SMTP_URL is not set.';

/** For a page whose work needs letters. @param so what that means for it, as a sentence */
export const noLettersNotice = ({ settings: { mail } }: Shop, so: string): Content =>
  mail ? '' : html`<p class="notice">${NO_LETTERS} ${so}</p>`;

/** How letters leave the shop. */
function carriedBy({ settings: { mail } }: Shop): string {
  if (!mail) return NO_LETTERS;
  return mail.via === 'smtp'
    ? `Letters come from ${mail.from}, by ${new URL(mail.url).host}.`
    : `SMTP_URL is not set, so letters are written into the folder ${mail.folder} instead.`;
}

function drawKind({ kind, when }: Letter): Content[] {
  const links = LANGUAGES.map(
    (language) =>
      html`<a class="button quiet" href="${LETTERS}/${kind}/${language}">${LANGUAGE_NAMES[language]}</a>`,
  );
  return [when, html`<div class="row">${links}</div>`];
}

/** Letters with what went wrong. What they say is not shown: it may open something. */
function drawLetters(
  caption: string,
  rows: readonly LetterRow[],
  letters: readonly Letter[],
  button: (row: LetterRow) => Content,
): Content {
  if (rows.length === 0) return '';
  return table(
    caption,
    ['When', 'To', 'Letter', 'Tries', 'What the mail server said', 'What next'],
    rows.map((row) => [
      time(row.changedAt),
      row.address,
      letters.find(({ kind }) => kind === row.kind)?.when ?? row.kind,
      String(row.tries),
      row.trouble,
      button(row),
    ]),
  );
}

async function showLetters(context: OfficeContext, shop: Shop, letters: readonly Letter[]) {
  const [counts, failed, waiting] = await Promise.all([
    countLetters(shop.db),
    lettersIn(shop.db, 'failed', LISTED),
    lettersIn(shop.db, 'waiting', LISTED),
  ]);
  const again = ({ id }: LetterRow): Html =>
    html`<form method="post" action="${LETTERS}/again">${hiddenInputs(shop, { letter: id })}<button class="quiet">Send again</button></form>`;
  const counted = LETTER_STATES.map((state) => `${counts.get(state) ?? 0} ${state}`).join(', ');
  return showPage(context, {
    title: 'Letters',
    content: html`<p>${carriedBy(shop)}</p><p>Kept now: ${counted}.</p>
${drawLetters('Could not be sent', failed, letters, again)}
${drawLetters(
  'Waiting',
  waiting.filter(({ tries }) => tries > 0),
  letters,
  ({ nextTryAt }) => (nextTryAt === null ? '' : html`Next try ${time(nextTryAt)}`),
)}
${table('How each letter looks', ['When it is sent', 'Show it in'], letters.map(drawKind))}`,
  });
}

/** A letter as a mail program shows it, with made-up facts. Its style stands in it, which no other page of the office has. */
async function showPreview(context: OfficeContext, shop: Shop, letters: readonly Letter[]) {
  const letter = letters.find(({ kind }) => kind === context.req.param('kind'));
  const language = LANGUAGES.find((name) => name === context.req.param('language'));
  if (!letter || !language) throw new Refusal(404, 'There is no such letter.');
  const sender = await senderOf(shop);
  const link = letter.link ? `${siteOf(shop)}${letter.link.path}#${MASKED}` : '';
  const text = letter.preview(language, placeOf(shop, sender, link));
  const rendered = await render(letter, text, { name: 'Asha', language }, sender);
  return context.html(rendered.html, 200, {
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  });
}

async function sendLetterAgain(context: OfficeContext, shop: Shop): Promise<Response> {
  const id = String(context.get('form').get('letter'));
  return change(context, shop, async (transaction, log) => {
    const done = await sendAgain(transaction, shop.clock(), id);
    if (done > 0) await log({ action: 'sent again', target: ['letter', id] });
    const message =
      done > 0
        ? 'The letter is being sent.'
        : 'Nothing was changed: this letter has not failed, or was already sent again.';
    return { to: LETTERS, message };
  });
}

const access = 'letters';

export const letterPages = (letters: readonly Letter[]): readonly OfficePage[] => [
  {
    method: 'GET',
    path: '/letters',
    access,
    handle: (context, shop) => showLetters(context, shop, letters),
  },
  { method: 'POST', path: '/letters/again', access, handle: sendLetterAgain },
  {
    method: 'GET',
    path: '/letters/:kind/:language',
    access,
    handle: (context, shop) => showPreview(context, shop, letters),
  },
];
