import type { ReactNode } from 'react';
import * as v from 'valibot';
import { LenientProductSchema } from '#api/schema/product.ts';
import { specifications } from '#domain/attributes.ts';
import { toCard } from '#domain/card.ts';
import { formatRupees } from '#domain/money.ts';
import { discountPercent, isOnSale, isPriced, shortId, sizeHeading } from '#domain/product.ts';
import { PRICE_LINES } from '#domain/product-texts.ts';
import { Hint } from '#server/admin/views/pieces.tsx';
import { dtoAt } from '#server/catalogue/catalogue-cache.ts';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';

const options = (heading: string, values: readonly string[]): ReactNode =>
  values.length > 0 && (
    <>
      <p>
        <strong>{heading}</strong>
      </p>
      <ul className="flex list-none flex-wrap gap-2 p-0">
        {values.map((value) => (
          <li key={value} className="rounded-full border border-control px-3.5 py-1">
            {value}
          </li>
        ))}
      </ul>
    </>
  );

/**
 * Shows a product as the shop's card and page, by the shop's own rules. The colour behind the picture can differ: the shop
 * also takes it from words of the title, the preview only from the id.
 */
export function renderPreview(stored: CatalogueProduct, apiOrigin: string, now: number): ReactNode {
  const product = v.parse(LenientProductSchema, dtoAt(stored, apiOrigin, now));
  const { category, tint, name } = toCard(product);
  const percent = isOnSale(product) ? discountPercent(product) : 0;
  /** What the card and the page share. */
  const head = (
    <>
      <div className={`panel grid h-60 place-items-center rounded-card text-fixed-ink ${tint}`}>
        {product.image === '' ? 'No picture' : <img src={product.image} alt="" />}
        {isOnSale(product) && <span className="sale-badge">Sale</span>}
      </div>
      <p className="mt-3 mb-0 text-fine text-ink2">{category}</p>
      <h3 className="my-1 text-lead leading-[1.3]">{name}</h3>
      <p className="price mb-2">
        <strong>{isPriced(product) ? formatRupees(product.price) : 'Price unavailable'}</strong>
        {isOnSale(product) && (
          <>
            {' '}
            <s>{formatRupees(product.originalPrice ?? 0)}</s>
          </>
        )}
        {percent > 0 && <span className="price-off">−{percent}%</span>}
      </p>
    </>
  );
  const lines = PRICE_LINES.map(({ text }) => text(product)).filter(Boolean);
  const rows = specifications(product.attributes);
  return (
    <section
      className="mb-5 overflow-auto rounded-panel border-2 border-control border-dashed px-4 pt-1 pb-4"
      aria-labelledby="preview"
      tabIndex={-1}
      autoFocus
    >
      <h2 id="preview">Preview</h2>
      <p>This is not saved yet.</p>
      <div className="flex flex-wrap items-start gap-7">
        <div className="shrink basis-55">
          <Hint>As a card</Hint>
          {head}
        </div>
        <div className="grow basis-65">
          <Hint>As a page</Hint>
          {head}
          {[shortId(product.id), ...lines].map((line) => (
            <Hint key={line}>{line}</Hint>
          ))}
          {options(sizeHeading(product), product.sizes)}
          {options('Colour', product.colors)}
          <p className="whitespace-pre-wrap">{product.description}</p>
          {rows.length > 0 && (
            <>
              <p>
                <strong>Specifications</strong>
              </p>
              <dl className="*:grid *:grid-cols-[2fr_3fr] *:gap-2 *:border-line *:border-b *:py-2">
                {rows.map((row) => (
                  <div key={row.name}>
                    <dt>{row.name}</dt>
                    <dd className="m-0">{row.value}</dd>
                  </div>
                ))}
              </dl>
            </>
          )}
        </div>
      </div>
    </section>
  );
}
