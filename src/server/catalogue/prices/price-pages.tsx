import type { ReactNode } from 'react';
import * as v from 'valibot';
import { formatRupees } from '#domain/money.ts';
import { plural } from '#domain/text.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { csvFile } from '#server/admin/csv.ts';
import { formVersion, type Parts, requireFormVersion } from '#server/admin/form-version.ts';
import { type Errors, type FormState, formStatus } from '#server/admin/forms/field.ts';
import { defineForm, parseForm, sentText } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { CATALOGUE, PRICES, productPath } from '#server/admin/paths.ts';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { ConflictNotice, LinkButton, Notice, Table, Time } from '#server/admin/views/pieces.tsx';
import { Prices, productList } from '#server/catalogue/product-list.tsx';
import { isSameProduct, replaceProduct } from '#server/catalogue/stored-products.ts';
import { lockCatalogue, markCatalogueChanged } from '#server/db/catalogue-version.ts';
import { NOT_UTF8, utf8Text } from '#server/http/sent-values.ts';
import type { Services } from '#server/services/services.ts';
import { editStock, lockStock, wholeStock } from '#server/stock/stored-stock.ts';
import {
  type PriceChange,
  priceChanges,
  priceLines,
  pricesOf,
  type RowProblem,
  readPriceFile,
  UnusableFile,
} from './price-file.ts';

/** In bytes: 20,000 rows with long titles, or as many changes. */
const MAX_FORM_BYTES = 4 * 1_024 * 1_024;

const csvForm = defineForm(v.object({ file: v.instance(File, 'Choose a file') }), {
  file: { label: 'A CSV file', control: 'file', accept: '.csv,text/csv' },
});

const SHOWN_PROBLEMS = 200;

function showUpload(context: AdminContext, errors?: Errors, problems: readonly RowProblem[] = []) {
  const rows = problems.slice(0, SHOWN_PROBLEMS).map(({ line, id, reason }) => [String(line), id, reason]);
  return showForm(context, {
    title: 'Prices by CSV',
    notice: problems.length > 0 && (
      <Notice id="refused" title={`Lines that cannot be used: ${problems.length}`} isAlert>
        <p>No price was changed. Correct the file, and choose it again.</p>
        <Table caption="Lines that cannot be used" heads={['Line', 'Id', 'Why']} rows={rows} />
      </Notice>
    ),
    intro: (
      <>
        <p>
          <a href={CATALOGUE}>All products</a>
        </p>
        <p>
          Download the current prices, change them in a spreadsheet, save it as CSV and choose it here. It
          needs the columns id, regular price and sale price; sale from and sale until change when sales begin
          and end; stock has the pieces. The stock changes by what you typed less the column stock when
          downloaded, so that what is sold meanwhile stays sold; without that column it is set. You see what
          would change before anything does. Products that are not in the file stay as they are.
        </p>
        <p>
          <LinkButton href={`${CATALOGUE}/prices.csv`} download>
            Download the prices
          </LinkButton>
        </p>
      </>
    ),
    fields: csvForm.fields,
    action: PRICES,
    submit: 'Show what would change',
    errors,
    status: errors || problems.length > 0 ? 422 : 200,
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

function renderDifference(priceChange: PriceChange): ReactNode {
  const { from, to, at, by } = priceChange;
  const rupees = (to - from) / 100;
  const sign = ['−', '', '+'][Math.sign(rupees) + 1];
  const percent = Number.isFinite(by) ? PERCENT.format(by).replace('-', '−') : 'new price';
  const text = `${sign}${formatRupees(Math.abs(rupees))} (${percent})`;
  return (
    <>
      {isLarge(priceChange) ? <strong className="text-error">{text}</strong> : text}
      {at !== undefined && (
        <span className="text-caption text-ink2">
          {' '}
          from <Time at={at} />
        </span>
      )}
    </>
  );
}

const SURE = { sure: { label: 'I have looked at them, and they are right', control: 'checkbox' } } as const;

const priceParts = (changes: readonly PriceChange[]): Parts =>
  Object.fromEntries(changes.map(({ before }) => [before.id, Object.values(pricesOf(before)).join(' ')]));

const counted = (count: number): string => (count === 1 ? 'One price' : `${count} prices`);

const CHANGES = 'What would change';

/** Shows the changes, largest first, with a form that makes exactly these. */
function showChanges(
  context: AdminContext,
  text: string,
  changes: readonly PriceChange[],
  now: number,
  { notice, errors }: FormState = {},
) {
  const sorted = changes.toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by));
  const large = sorted.filter(isLarge).length;
  const hasStock = changes.some(({ stock }) => stock);
  const rows = sorted.map((priceChange) => [
    <a href={productPath(priceChange.after.id)}>{priceChange.after.title}</a>,
    <Prices prices={priceChange.before} now={now} />,
    <Prices prices={priceChange.after} now={now} />,
    renderDifference(priceChange),
    ...(hasStock ? [priceChange.stock?.text ?? ''] : []),
  ]);
  if (changes.length === 0)
    return showPage(context, {
      title: CHANGES,
      content: (
        <>
          {notice}
          <p>No price or stock in the file differs from the current one.</p>
          <a href={PRICES}>Choose another file</a>
        </>
      ),
      status: formStatus({ notice }),
    });
  return showForm(context, {
    title: CHANGES,
    notice,
    intro: (
      <>
        <p>Nothing is changed yet.</p>
        <Table
          caption={`${plural(changes.length, 'product')} would change`}
          heads={['Product', 'Price now', 'New price', 'Difference', ...(hasStock ? ['Stock'] : [])]}
          rows={rows}
        />
        {large > 0 && (
          <Notice>
            <p>{counted(large)} would change by more than 30 %, first in the list.</p>
          </Notice>
        )}
      </>
    ),
    fields: large > 0 ? SURE : {},
    action: `${PRICES}/set`,
    submit: 'Change these',
    hidden: { text, ...formVersion(priceParts(sorted)) },
    errors,
    more: <LinkButton href={PRICES}>Change nothing</LinkButton>,
  });
}

async function preview(context: AdminContext, services: Services): Promise<Response> {
  const parsed = parseForm(csvForm, context.get('form'));
  if (!parsed.isValid) return showUpload(context, parsed.errors);
  const text = utf8Text(await parsed.output.file.arrayBuffer());
  if (text === undefined) return showUpload(context, new Map([['file', `This file ${NOT_UTF8}`]]));
  const now = services.clock();
  const changes = await priceChanges(services.db, await readPriceFile(text), now);
  return showChanges(context, text, changes, now);
}

async function set(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const text = sentText(form, 'text');
  const file = await readPriceFile(text);
  const now = services.clock();
  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    const changes = await priceChanges(transaction, file, now);
    requireFormVersion(form, priceParts(changes), {}, () => {
      const again = 'The list below has the current prices: check it again.';
      const notice = <ConflictNotice conflicts={[]} again={again} />;
      return showChanges(context, text, changes, now, { notice });
    });
    if (changes.some(isLarge) && !form.has('sure')) {
      const errors = new Map([['sure', 'Tick that the prices which change by more than 30 % are right']]);
      throw new ChangeAborted(() => showChanges(context, text, changes, now, { errors }));
    }
    const repriced = changes.filter(({ before, after }) => !isSameProduct(before, after));
    for (const { before, after } of repriced) {
      await replaceProduct(transaction, after);
      const target = ['product', after.id] as const;
      await log({ action: 'changed the price', target, from: pricesOf(before), to: pricesOf(after) });
    }
    if (repriced.length > 0) await markCatalogueChanged(transaction);
    await lockStock(
      transaction,
      changes.flatMap(({ after, stock }) => (stock ? after.id : [])),
    );
    for (const { after, stock } of changes) {
      if (!stock || !(await editStock(transaction, after.id, stock.edit))) continue;
      await log({ action: 'changed the stock', target: ['product', after.id], to: { stock: stock.text } });
    }
    const message = `${plural(changes.length, 'product')} changed. Publish to show it in the shop.`;
    return { to: CATALOGUE, message };
  });
}

type Handle = AdminPage['handle'];

/** Answers with the upload form and the reasons if the file cannot be used. */
const withProblems =
  (handle: Handle): Handle =>
  async (context, services) => {
    try {
      return await handle(context, services);
    } catch (error) {
      if (error instanceof UnusableFile) return showUpload(context, undefined, error.problems);
      throw error;
    }
  };

const access = 'catalogue';

export const PRICE_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/catalogue/prices', access, handle: (context) => showUpload(context) },
  {
    method: 'GET',
    path: '/catalogue/prices.csv',
    access,
    handle: async (_, services) =>
      csvFile('prices', priceLines(await productList(services.db), await wholeStock(services.db))),
  },
  {
    method: 'POST',
    path: '/catalogue/prices',
    access,
    maxFormBytes: MAX_FORM_BYTES,
    handle: withProblems(preview),
  },
  {
    method: 'POST',
    path: '/catalogue/prices/set',
    access,
    maxFormBytes: MAX_FORM_BYTES,
    handle: withProblems(set),
  },
];
