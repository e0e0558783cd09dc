import { html } from 'hono/html';
import * as v from 'valibot';
import { formatRupees } from '#domain/money.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { csvFile } from '#server/admin/csv.ts';
import { formVersion, type Parts, requireFormVersion } from '#server/admin/form-version.ts';
import type { Mistakes } from '#server/admin/forms/field.ts';
import { defineForm, parseForm, sentText } from '#server/admin/forms/parse.ts';
import { renderForm } from '#server/admin/forms/render.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { CATALOGUE, PRICES, productPath } from '#server/admin/paths.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { table, time } from '#server/admin/views/pieces.ts';
import { productList } from '#server/catalogue/product-list.ts';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import { replaceProduct, sellingPrice } from '#server/catalogue/stored-products.ts';
import { lockCatalogue, markCatalogueChanged } from '#server/services/catalogue-version.ts';
import type { Services } from '#server/services/services.ts';
import {
  type PriceChange,
  priceChanges,
  priceLines,
  pricesOf,
  type RowProblem,
  readPriceFile,
} from './price-file.ts';

/** In bytes: 20,000 rows with long titles, or as many changes. */
const FORM_MOST = 4 * 1_024 * 1_024;

const csvForm = defineForm(v.object({ file: v.instance(File, 'Choose a file') }), {
  file: { label: 'A CSV file', control: 'file', accept: '.csv,text/csv' },
});

const SHOWN_PROBLEMS = 200;

function renderProblems(problems: readonly RowProblem[]): Content {
  if (problems.length === 0) return '';
  const rows = problems.slice(0, SHOWN_PROBLEMS).map(({ line, id, reason }) => [String(line), id, reason]);
  return html`<section class="notice" role="alert" tabindex="-1" autofocus aria-labelledby="refused">
<h2 id="refused">${problems.length === 1 ? 'One line' : `${problems.length} lines`} cannot be used</h2>
<p>No price was changed. Correct the file, and choose it again.</p>
${table('Lines that cannot be used', ['Line', 'Id', 'Why'], rows)}</section>`;
}

interface Wrong {
  readonly mistakes?: Mistakes;
  readonly problems?: readonly RowProblem[];
}

function showForm(context: AdminContext, services: Services, { mistakes, problems = [] }: Wrong = {}) {
  const isWrong = mistakes !== undefined || problems.length > 0;
  const form = {
    fields: csvForm.fields,
    action: PRICES,
    submit: 'Show what would change',
    mistakes,
  };
  return showPage(context, {
    title: 'Prices by CSV',
    content: html`${renderProblems(problems)}<p><a href="${CATALOGUE}">All products</a></p>
<p>Download the current prices, change them in a spreadsheet, save it as CSV and choose it here. It needs the columns id, regular price and sale price; sale from and sale until change when sales begin and end. You see what would change before anything does. Products that are not in the file keep their prices.</p>
<p><a class="button quiet" href="${CATALOGUE}/prices.csv" download>Download the prices</a></p>
${renderForm(services, form)}`,
    status: isWrong ? 422 : 200,
  });
}

/** Larger relative changes must be confirmed with a tick. */
const WARN_FROM = 0.3;

const isLarge = ({ by }: PriceChange): boolean => Math.abs(by) > WARN_FROM;

const PERCENT = new Intl.NumberFormat('en-IN', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** The price that customers pay, the regular price beside a reduced one, and the times of the sale. */
function renderPrices({ regularPrice, discountedPrice, saleFrom, saleUntil }: CatalogueProduct): Html {
  if (!discountedPrice) return html`${formatRupees(regularPrice)}`;
  const times = Object.entries({ from: saleFrom, until: saleUntil }).map(
    ([word, moment]) => moment && html` <span class="hint">${word} ${time(Date.parse(moment))}</span>`,
  );
  return html`<span>${formatRupees(discountedPrice)} <s><span class="unseen">Regular price </span>${formatRupees(regularPrice)}</s>${times}</span>`;
}

function renderDifference(priceChange: PriceChange): Html {
  const { before, after, by } = priceChange;
  const rupees = (sellingPrice(after) - sellingPrice(before.product)) / 100;
  const sign = rupees > 0 ? '+' : rupees < 0 ? '−' : '';
  const percent = Number.isFinite(by) ? PERCENT.format(by).replace('-', '−') : 'new price';
  const text = `${sign}${formatRupees(Math.abs(rupees))} (${percent})`;
  return isLarge(priceChange) ? html`<strong class="error">${text}</strong>` : html`${text}`;
}

const priceParts = (changes: readonly PriceChange[]): Parts =>
  Object.fromEntries(
    changes.map(({ before: { product } }) => [product.id, Object.values(pricesOf(product)).join(' ')]),
  );

/** Shows the changes, largest first, with a form that makes exactly these. */
function showChanges(
  context: AdminContext,
  services: Services,
  text: string,
  changes: readonly PriceChange[],
  {
    status = 200,
    notice = '',
    mistakes,
  }: { status?: 200 | 409 | 422; notice?: Content; mistakes?: Mistakes } = {},
) {
  const sorted = changes.toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by));
  const large = sorted.filter(isLarge).length;
  const rows = sorted.map((priceChange) => [
    html`<a href="${productPath(priceChange.after.id)}">${priceChange.after.title}</a>`,
    renderPrices(priceChange.before.product),
    renderPrices(priceChange.after),
    renderDifference(priceChange),
  ]);
  const count = changes.length === 1 ? 'One price changes' : `${changes.length} prices change`;
  const form = {
    fields:
      large === 0
        ? {}
        : { sure: { label: 'I have looked at them, and they are right', control: 'checkbox' as const } },
    action: `${PRICES}/set`,
    submit: `Change ${changes.length === 1 ? 'this price' : `these ${changes.length} prices`}`,
    hidden: { text, ...formVersion(priceParts(sorted)) },
    more: html`<a class="button quiet" href="${PRICES}">Change nothing</a>`,
    mistakes,
  };
  const warning =
    large === 0
      ? ''
      : html`<div class="notice"><p>${large === 1 ? 'One price changes' : `${large} prices change`} by more than 30 %. They are first in the list.</p></div>`;
  return showPage(context, {
    title: 'What would change',
    content:
      changes.length === 0
        ? html`${notice}<p>No price in the file differs from the current price.</p><p><a href="${PRICES}">Choose another file</a></p>`
        : html`${notice}<p>Nothing is changed yet.</p>
${table(count, ['Product', 'Price now', 'New price', 'Difference'], rows)}
${warning}${renderForm(services, form)}`,
    status,
    styles: 'catalogue.css',
  });
}

async function preview(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(csvForm, context.get('form'));
  if (!parsed.isValid) return showForm(context, services, parsed);
  const bytes = await parsed.values.file.arrayBuffer();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const mistake = 'This file is not UTF-8 text. Save it as “CSV UTF-8”.';
    return showForm(context, services, { mistakes: new Map([['file', mistake]]) });
  }
  const { changes, problems } = await priceChanges(services.db, await readPriceFile(text));
  if (problems.length > 0) return showForm(context, services, { problems });
  return showChanges(context, services, text, changes);
}

async function set(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const text = sentText(form, 'text');
  const file = await readPriceFile(text);
  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    const { changes, problems } = await priceChanges(transaction, file);
    if (problems.length > 0) throw new ChangeAborted(() => showForm(context, services, { problems }));
    requireFormVersion(form, priceParts(changes), {}, () => {
      const notice = html`<div class="notice" role="alert" tabindex="-1" autofocus><p>Another staff member changed some of these products in the meantime. Nothing of yours was saved. The list below has their current prices: check it again.</p></div>`;
      return showChanges(context, services, text, changes, { status: 409, notice });
    });
    if (changes.some(isLarge) && !form.has('sure')) {
      const mistakes = new Map([['sure', 'Tick that the prices which change by more than 30 % are right']]);
      throw new ChangeAborted(() => showChanges(context, services, text, changes, { status: 422, mistakes }));
    }
    for (const { before, after } of changes) {
      await replaceProduct(transaction, after);
      const [from, to] = [pricesOf(before.product), pricesOf(after)];
      await log({ action: 'changed the price', target: ['product', after.id], from, to });
    }
    if (changes.length > 0) await markCatalogueChanged(transaction);
    const what = changes.length === 1 ? 'One price was' : `${changes.length} prices were`;
    return { to: CATALOGUE, message: `${what} changed. Publish them to show them in the shop.` };
  });
}

const access = 'catalogue';

export const PRICE_PAGES: readonly AdminPage[] = [
  {
    method: 'GET',
    path: '/catalogue/prices',
    access,
    handle: (context, services) => showForm(context, services),
  },
  {
    method: 'GET',
    path: '/catalogue/prices.csv',
    access,
    handle: async (_, services) => csvFile('prices', priceLines(await productList(services.db))),
  },
  { method: 'POST', path: '/catalogue/prices', access, formMost: FORM_MOST, handle: preview },
  { method: 'POST', path: '/catalogue/prices/set', access, formMost: FORM_MOST, handle: set },
];
