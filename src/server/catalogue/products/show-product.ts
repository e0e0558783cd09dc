import { html } from 'hono/html';
import * as v from 'valibot';
import { ProductSchema } from '#api/schema/product.ts';
import { specifications } from '#domain/attributes.ts';
import { toCard } from '#domain/card.ts';
import { formatRupees } from '#domain/money.ts';
import { discountPercent, isOnSale, isPriced, type Product, shortId, sizeHeading } from '#domain/product.ts';
import { PRICE_LINES } from '#domain/product-texts.ts';
import { formVersionOf } from '#server/admin/form-version.ts';
import type { Mistakes } from '#server/admin/forms/field.ts';
import { hiddenInputs } from '#server/admin/forms/render.ts';
import type { AdminContext } from '#server/admin/page.ts';
import { CATALOGUE, productPath } from '#server/admin/paths.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { categoryNames, productList } from '#server/catalogue/product-list.ts';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import type { StoredProduct } from '#server/catalogue/stored-products.ts';
import { isImageName } from '#server/http/names.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { type Draft, draftOf, draftParts, toInput } from './draft.ts';
import { checkProduct } from './edit-products.ts';
import { type ProductFormView, renderProduct } from './product-view.ts';
import { type Submitted, storedMistakes } from './read-submitted.ts';

/** Like in the shop: the regular price struck out, and the discount. */
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
 * Shows a product as the shop's card and page, by the shop's own rules. The colour behind the picture can differ: the shop
 * also takes it from words of the title, the preview only from the id.
 */
export function renderPreview(dto: CatalogueProduct, apiOrigin: string): Html {
  const address = (image: string): string => (isImageName(image) ? `${apiOrigin}/images/${image}` : image);
  const images = dto.images.map(({ url }) => ({ url: address(url) }));
  const product = v.parse(ProductSchema, { ...dto, imgUrl: address(dto.imgUrl), images });
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

type Shown = Pick<State, 'draft' | 'mistakes' | 'uploaded' | 'newRow' | 'preview' | 'status'>;

async function previewed(
  services: Services,
  { draft, uploaded, values }: Submitted,
  { id, createdAt }: Pick<CatalogueProduct, 'id' | 'createdAt'>,
  before?: CatalogueProduct,
): Promise<Shown> {
  if (!values) return { draft, uploaded };
  const checked = await checkProduct(services.db, { id, createdAt, ...toInput(draft, values, before) });
  return checked.status === 'valid'
    ? { draft, uploaded, preview: renderPreview(checked.value, services.apiOrigin) }
    : { draft, uploaded, mistakes: storedMistakes(checked.errors), status: 422 };
}

/** The form after a button such as 'Add an attribute'. Refused files are shown at once, other errors when it is saved. */
function continued({ action, draft, uploaded, refusals }: Submitted): Shown {
  return {
    draft,
    uploaded,
    ...(action === 'add-row' ? { newRow: draft.rows.length - 1 } : {}),
    ...(refusals.length > 0 ? { mistakes: new Map([['files', refusals.join(' ')]]), status: 422 } : {}),
  };
}

/** Returns the state of the form to show again; undefined if the product is to be saved. */
export async function shownAgain(
  services: Services,
  submitted: Submitted,
  product: Pick<CatalogueProduct, 'id' | 'createdAt'>,
  before?: CatalogueProduct,
): Promise<Shown | undefined> {
  const { action, draft, mistakes, uploaded } = submitted;
  const isSaving = action === 'save';
  if (!isSaving && action !== 'preview') return continued(submitted);
  if (mistakes.size > 0) return { draft, mistakes, uploaded, status: 422 };
  return isSaving ? undefined : previewed(services, submitted, product, before);
}

export const NEW = `${CATALOGUE}/new`;

export const idOf = (context: AdminContext): string => context.req.param('id') ?? '';

export const noProduct = (): Refusal => new Refusal(404, 'There is no such product.');

async function suggestions({ db }: Services): Promise<ProductFormView['suggestions']> {
  const products = await productList(db);
  return {
    category: categoryNames(products, 'category'),
    parentCategory: categoryNames(products, 'parentCategory'),
  };
}

export interface State {
  readonly draft: Draft;
  /** The form version (`form-version.ts`). */
  readonly version: string;
  readonly uploaded?: readonly string[];
  readonly notice?: Content;
  readonly mistakes?: Mistakes;
  readonly newRow?: number;
  readonly preview?: Content;
  readonly status?: 200 | 409 | 422;
}

function renderDiscontinue(services: Services, { product, isDiscontinued }: StoredProduct): Content {
  const action = `${productPath(product.id)}/discontinued`;
  const [name, text, note] = isDiscontinued
    ? ['bring-back', 'Bring back', 'It returns to its old place in the shop.']
    : ['discontinue', 'Discontinue', 'Customers then no longer find it. Orders with it stay as they are.'];
  return html`<h2>${isDiscontinued ? 'Discontinued' : 'Discontinue'}</h2><p>${note}</p>
<form method="post" action="${action}">${hiddenInputs(services, {})}<button class="quiet" name="do" value="${name}">${text}</button></form>`;
}

export async function showProduct(
  context: AdminContext,
  services: Services,
  stored: StoredProduct,
  state: State,
) {
  const { product, isDiscontinued } = stored;
  const { version, status = 200, uploaded = [], notice = '', ...view } = state;
  const copy = `${NEW}?${new URLSearchParams({ copy: product.id })}`;
  const content = html`${notice}<div class="row top"><a href="${CATALOGUE}">All products</a>
<a class="button quiet small" href="${copy}">Copy</a>${isDiscontinued ? html`<span class="badge">Discontinued</span>` : ''}
<span class="hint">Id ${product.id}</span></div>
${renderProduct(services, { ...view, suggestions: await suggestions(services), uploaded, action: productPath(product.id), hidden: { version } })}
${renderDiscontinue(services, stored)}`;
  return showPage(context, {
    title: product.title,
    content,
    status,
    styles: 'catalogue.css',
  });
}

export const fresh = ({ product }: StoredProduct): State => ({
  draft: draftOf(product),
  version: formVersionOf(draftParts(draftOf(product))),
});

export async function showNew(context: AdminContext, services: Services, state: Omit<State, 'version'>) {
  const { status = 200, uploaded = [], ...view } = state;
  return showPage(context, {
    title: 'New product',
    content: html`<p class="row top"><a href="${CATALOGUE}">All products</a></p>
${renderProduct(services, { ...view, suggestions: await suggestions(services), uploaded, action: NEW, hidden: {}, hasId: true })}`,
    status,
    styles: 'catalogue.css',
  });
}
