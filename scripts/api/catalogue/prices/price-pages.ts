import { html } from 'hono/html';
import * as v from 'valibot';
import { productList } from '#scripts/api/catalogue/product-list.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { change, NotDone } from '#scripts/api/office/change.ts';
import { csvFile, csvLine } from '#scripts/api/office/csv.ts';
import { drawForm } from '#scripts/api/office/forms/draw.ts';
import type { Mistakes } from '#scripts/api/office/forms/field.ts';
import { defineForm, parseForm, sentText } from '#scripts/api/office/forms/parse.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import { CATALOGUE, PRICES } from '#scripts/api/office/paths.ts';
import { requireSeen } from '#scripts/api/office/seen.ts';
import type { Content } from '#scripts/api/office/views/html.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { table } from '#scripts/api/office/views/pieces.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { priceChanges, pricesOf, setPrices } from './edit-prices.ts';
import { isLarge, pricesBefore, showChanges } from './price-changes.ts';
import { COLUMNS, type RowProblem, readPriceTable, readRowsText } from './price-rows.ts';

/** In bytes: 20,000 rows with long titles, or as many changes. */
const FORM_MOST = 4 * 1_024 * 1_024;

const csvForm = defineForm(
  v.object({
    file: v.optional(v.instance(File, 'Choose a file')),
    text: v.string(),
  }),
  {
    file: { label: 'A CSV file', control: 'file', accept: '.csv,text/csv', isOptional: true },
    text: {
      label: 'Or paste the rows here',
      control: 'textarea',
      isOptional: true,
      hint: 'With a first line that names the columns: id, regular price, sale price; and, if you want to change them, sale from, sale until.',
    },
  },
);

interface State {
  readonly typed?: { readonly text: string };
  readonly mistakes?: Mistakes;
  readonly problems?: readonly RowProblem[];
}

const SHOWN_PROBLEMS = 200;

function drawProblems(problems: readonly RowProblem[]): Content {
  if (problems.length === 0) return '';
  const rows = problems.slice(0, SHOWN_PROBLEMS).map(({ line, id, reason }) => [String(line), id, reason]);
  const more = problems.length - rows.length;
  return html`<section class="notice" role="alert" tabindex="-1" autofocus aria-labelledby="refused">
<h2 id="refused">${problems.length === 1 ? 'One line' : `${problems.length} lines`} cannot be used</h2>
<p>No price was changed. Correct the file, and choose it again.</p>
${table('Lines that cannot be used', ['Line', 'Id', 'Why'], rows)}${more > 0 ? html`<p>And ${more} more.</p>` : ''}</section>`;
}

function showForm(context: OfficeContext, shop: Shop, { typed, mistakes, problems = [] }: State = {}) {
  const isWrong = mistakes !== undefined || problems.length > 0;
  const form = {
    fields: csvForm.fields,
    action: PRICES,
    submit: 'Show what would change',
    typed: typed ?? {},
  };
  return showPage(context, {
    title: 'Prices by CSV',
    content: html`${drawProblems(problems)}<p><a href="${CATALOGUE}">All products</a></p>
<p>Download the prices of now, change them in a spreadsheet, save it as CSV and choose it here. You see what would change before anything does. Products that are not in the file keep their prices.</p>
<p><a class="button quiet" href="${CATALOGUE}/prices.csv" download>Download the prices</a></p>
${drawForm(shop, mistakes ? { ...form, mistakes } : form)}`,
    status: isWrong ? 422 : 200,
    hasErrors: isWrong,
  });
}

/** The text of the file or, without one, of the field; undefined where the file is not UTF-8. */
async function textOf(file: File | undefined, typed: string): Promise<string | undefined> {
  if (!file) return typed;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}

async function compare(context: OfficeContext, shop: Shop): Promise<Response> {
  const parsed = parseForm(csvForm, context.get('form'));
  if (!parsed.isGood) throw new Refusal(400, 'The form cannot be read.');
  const text = await textOf(parsed.values.file, parsed.values.text);
  const typed = { text: parsed.values.text };
  const refuse = (field: string, mistake: string) =>
    showForm(context, shop, { typed, mistakes: new Map([[field, mistake]]) });
  if (text === undefined) return refuse('file', 'This file is not UTF-8 text. Save it as “CSV UTF-8”.');
  if (text.trim() === '') return refuse('file', 'Choose a file, or paste its rows');
  const { rows, lines, problems } = await readPriceTable(text);
  const result = await priceChanges(shop.db, rows);
  const wrong =
    result.status === 'valid'
      ? problems
      : [...problems, ...refusedRows(result.errors, rows, lines)].toSorted((a, b) => a.line - b.line);
  if (wrong.length > 0) return showForm(context, shop, { typed, problems: wrong });
  if (result.status === 'refused') throw new Error('Prices were refused without a reason.');
  return showChanges(context, shop, result.changes, { status: 200 });
}

/** Errors of `priceChanges` as lines of the file. */
function refusedRows(
  errors: Readonly<Record<string, string>>,
  rows: readonly { readonly id: string }[],
  lines: readonly number[],
): RowProblem[] {
  return Object.entries(errors).map(([path, message]) => {
    const index = Number(path.split('.')[0]);
    return { line: lines[index] ?? 0, id: rows[index]?.id ?? '', reason: `The id ${message}.` };
  });
}

async function set(context: OfficeContext, shop: Shop): Promise<Response> {
  const form = context.get('form');
  const rows = readRowsText(sentText(form, 'rows'));

  /** Shows the changes once more, from the prices of now. */
  async function showAgain(mistakes?: Mistakes): Promise<Response> {
    const now = await priceChanges(shop.db, rows);
    if (now.status === 'refused')
      throw new Refusal(422, 'These prices cannot be read. Choose the file again.');
    if (mistakes) return showChanges(context, shop, now.changes, { status: 422, mistakes });
    const notice = html`<div class="notice" role="alert" tabindex="-1" autofocus><p>Somebody else changed some of these products meanwhile. Nothing of yours was saved. Below stand their prices of now: look again.</p></div>`;
    return showChanges(context, shop, now.changes, { status: 409, notice });
  }

  return change(context, shop, async (transaction, log) => {
    const result = await setPrices(transaction, rows);
    if (result.status === 'refused') throw new NotDone(() => showAgain());
    requireSeen(form, pricesBefore(result.changes), {}, () => showAgain());
    if (result.changes.some(isLarge) && !form.has('sure')) {
      const mistakes = new Map([['sure', 'Tick that the prices which change by more than 30 % are right']]);
      throw new NotDone(() => showAgain(mistakes));
    }
    for (const { before, row } of result.changes) {
      const [from, to] = [pricesOf(before.product), pricesOf(row)];
      await log({ action: 'changed the price', target: ['product', row.id], from, to });
    }
    const count = result.changes.length;
    const what = count === 1 ? 'One price was' : `${count} prices were`;
    return { to: CATALOGUE, message: `${what} changed. Publish them to show them in the shop.` };
  });
}

async function* priceLines(shop: Shop): AsyncGenerator<string> {
  const columns = Object.values(COLUMNS);
  yield csvLine(columns.map(({ head }) => head));
  for (const product of await productList(shop.db)) yield csvLine(columns.map(({ text }) => text(product)));
}

const access = 'catalogue';

export const PRICE_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/catalogue/prices', access, handle: (context, shop) => showForm(context, shop) },
  {
    method: 'GET',
    path: '/catalogue/prices.csv',
    access,
    handle: (_, shop) => csvFile('prices', priceLines(shop)),
  },
  { method: 'POST', path: '/catalogue/prices', access, formMost: FORM_MOST, handle: compare },
  { method: 'POST', path: '/catalogue/prices/set', access, formMost: FORM_MOST, handle: set },
];
