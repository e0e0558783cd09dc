import { html } from 'hono/html';
import * as v from 'valibot';
import { ProductReader } from '#api/schema/product.ts';
import { specifications } from '#domain/attributes.ts';
import { toCard } from '#domain/card.ts';
import { formatRupees } from '#domain/money.ts';
import { discountPercent, isOnSale, isPriced, type Product, shortId, sizeHeading } from '#domain/product.ts';
import { PRICE_LINES } from '#domain/product-texts.ts';
import type { CatalogueProduct } from '#scripts/api/catalogue/schema.ts';
import { isImageName } from '#scripts/api/http/names.ts';
import type { Content, Html } from '#scripts/api/office/views/html.ts';

/** As in the shop: the price struck out, and how much is saved. */
function price(product: Pick<Product, 'price' | 'originalPrice'>): Html {
  const { originalPrice = 0 } = product;
  if (!isPriced(product)) return html`<p class="price"><strong>Price unavailable</strong></p>`;
  if (!isOnSale(product)) return html`<p class="price"><strong>${formatRupees(product.price)}</strong></p>`;
  const percent = discountPercent(product);
  return html`<p class="price"><strong>${formatRupees(product.price)}</strong> <s>${formatRupees(originalPrice)}</s>
${percent > 0 ? html`<span class="off">−${percent}%</span>` : ''}</p>`;
}

const picture = (src: string, tint: string, badge: Content): Html =>
  html`<div class="panel ${tint}">${src === '' ? 'No picture' : html`<img src="${src}" alt="">`}${badge}</div>`;

const options = (heading: string, values: readonly string[]): Content =>
  values.length === 0
    ? ''
    : html`<p><strong>${heading}</strong></p><ul class="options">${values.map((value) => html`<li>${value}</li>`)}</ul>`;

/**
 * A product as a card and as a page of the shop would show it, by the shop's own rules. The colour behind the picture comes
 * from the id alone, while the shop also looks at words of the title.
 */
export function drawPreview(wire: CatalogueProduct, apiOrigin: string): Html {
  const address = (image: string): string => (isImageName(image) ? `${apiOrigin}/images/${image}` : image);
  const images = wire.images.map(({ url }) => ({ url: address(url) }));
  const product = v.parse(ProductReader, { ...wire, imgUrl: address(wire.imgUrl), images });
  const card = toCard(product, undefined, []);
  const badge: Content = isOnSale(product) ? html`<span class="sale">Sale</span>` : '';
  const rows = specifications(product.attributes).map(
    ({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  );
  const lines = PRICE_LINES.map(({ text }) => text(product)).filter(Boolean);
  return html`<section class="preview" aria-labelledby="preview" tabindex="-1" autofocus>
<h2 id="preview">Preview</h2><p>This is not saved yet.</p>
<div class="previews"><div class="card"><p class="hint">As a card</p>${picture(product.image, card.tint, badge)}
<p class="category">${card.category}</p><h3>${card.name}</h3>${price(card)}</div>
<div class="detail"><p class="hint">As a page</p>${picture(product.image, card.tint, badge)}
<div><p class="category">${card.category}</p><h3>${product.name}</h3>${price(product)}<p class="hint">${shortId(product.id)}</p>
${lines.map((line) => html`<p class="hint">${line}</p>`)}
${options(sizeHeading(product), product.sizes)}${options('Colour', product.colors)}
<p class="text">${product.description}</p>
${rows.length > 0 ? html`<p><strong>Specifications</strong></p><dl class="facts">${rows}</dl>` : ''}</div></div></div></section>`;
}
