import { html } from 'hono/html';
import { formatRupees } from '#domain/money.ts';
import { hiddenInputs, mistakeSummary } from '#scripts/api/office/forms/draw.ts';
import type { Mistakes } from '#scripts/api/office/forms/field.ts';
import type { OfficeContext } from '#scripts/api/office/page.ts';
import { PRICES, productPath } from '#scripts/api/office/paths.ts';
import { type Parts, showing } from '#scripts/api/office/seen.ts';
import type { Content, Html } from '#scripts/api/office/views/html.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { table, time } from '#scripts/api/office/views/pieces.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { type PriceChange, pricesOf } from './edit-prices.ts';
import { rowsText } from './price-rows.ts';

/** A price that changes by more than this must be confirmed by itself. */
const WARN_FROM = 0.3;

const PERCENT = new Intl.NumberFormat('en-IN', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

export const isLarge = ({ by }: Pick<PriceChange, 'by'>): boolean => Math.abs(by) > WARN_FROM;

/** From when until when the sale price counts; '' where it always does. */
function saleTimes({ saleFrom, saleUntil }: Pick<PriceChange['row'], 'saleFrom' | 'saleUntil'>): Content {
  if (!saleFrom && !saleUntil) return '';
  return html` <span class="hint">${saleFrom ? html`from ${time(Date.parse(saleFrom))} ` : ''}${saleUntil ? html`until ${time(Date.parse(saleUntil))}` : ''}</span>`;
}

/** What customers pay, and the regular price where it is another one. */
const both = ({
  regularPrice,
  discountedPrice,
  ...sale
}: PriceChange['row'] | PriceChange['before']['product']): Html =>
  discountedPrice
    ? html`<span>${formatRupees(discountedPrice)} <s><span class="unseen">Regular price </span>${formatRupees(regularPrice)}</s>${saleTimes(sale)}</span>`
    : html`${formatRupees(regularPrice)}`;

const paid = ({
  regularPrice,
  discountedPrice,
}: PriceChange['row'] | PriceChange['before']['product']): number =>
  discountedPrice ? discountedPrice : regularPrice;

function drawBy({ before, row, by }: PriceChange): Html {
  const difference = Math.round((paid(row) - paid(before.product)) * 100) / 100;
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '';
  const percent = Number.isFinite(by) ? PERCENT.format(by).replace('-', '−') : 'new price';
  const text = `${sign}${formatRupees(Math.abs(difference))} (${percent})`;
  return isLarge({ by }) ? html`<strong class="error">${text}</strong>` : html`${text}`;
}

/** The prices that the page shows as those of now, for `seen.ts`. */
export const pricesBefore = (changes: readonly PriceChange[]): Parts =>
  Object.fromEntries(
    changes.map(({ before: { product } }) => [product.id, Object.values(pricesOf(product)).join(' ')]),
  );

/** The changes, those by the most first, with a form that makes exactly these. */
export function showChanges(
  context: OfficeContext,
  shop: Shop,
  changes: readonly PriceChange[],
  { status, notice = '', mistakes }: { status: 200 | 409 | 422; notice?: Content; mistakes?: Mistakes },
) {
  const sorted = changes.toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by));
  const large = sorted.filter(isLarge).length;
  const rows = sorted.map((priceChange) => [
    html`<a href="${productPath(priceChange.row.id)}">${priceChange.before.product.title}</a>`,
    both(priceChange.before.product),
    both(priceChange.row),
    drawBy(priceChange),
  ]);
  const hidden = { rows: rowsText(sorted.map(({ row }) => row)), ...showing(pricesBefore(sorted)) };
  const count = changes.length === 1 ? 'One price changes' : `${changes.length} prices change`;
  const mistake = mistakes?.get('sure');
  const tick =
    large === 0
      ? ''
      : html`<div class="notice"><p>${large === 1 ? 'One price changes' : `${large} prices change`} by more than 30 %. They stand first in the list.</p>
${mistake ? html`<p class="error" id="field-sure-error">${mistake}</p>` : ''}
<div class="choice"><input type="checkbox" id="field-sure" name="sure"${mistake ? html` aria-invalid="true" aria-describedby="field-sure-error"` : ''}><label for="field-sure">I have looked at them, and they are right</label></div></div>`;
  const content =
    changes.length === 0
      ? html`${notice}<p>No price in the file differs from the price of now.</p><p><a href="${PRICES}">Choose another file</a></p>`
      : html`${notice}${mistakeSummary(mistakes)}<p>Nothing is changed yet.</p>
${table(`${count}`, ['Product', 'Price now', 'New price', 'Difference'], rows)}
<form class="stack" method="post" action="${PRICES}/set" novalidate>${hiddenInputs(shop, hidden)}${tick}
<div class="row"><button>Change ${changes.length === 1 ? 'this price' : `these ${changes.length} prices`}</button><a class="button quiet" href="${PRICES}">Change nothing</a></div></form>`;
  return showPage(context, {
    title: 'What would change',
    content,
    status,
    hasErrors: status !== 200,
    styles: 'catalogue.css',
  });
}
