import { html } from 'hono/html';
import { productList } from '#scripts/api/catalogue/product-list.ts';
import type { CatalogueProduct } from '#scripts/api/catalogue/schema.ts';
import type { StoredProduct } from '#scripts/api/catalogue/stored-products.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { hiddenInputs } from '#scripts/api/office/forms/draw.ts';
import type { Mistakes } from '#scripts/api/office/forms/field.ts';
import type { OfficeContext } from '#scripts/api/office/page.ts';
import { CATALOGUE, productPath } from '#scripts/api/office/paths.ts';
import { seenOf } from '#scripts/api/office/seen.ts';
import type { Content } from '#scripts/api/office/views/html.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { type Draft, draftOf, toInput } from './draft.ts';
import { drawProduct, type ProductFormView } from './draw-product.ts';
import { checkProduct } from './edit-products.ts';
import { categoryNames } from './filter.ts';
import { productParts } from './form-parts.ts';
import { drawPreview } from './preview.ts';
import { type Submitted, storedMistakes } from './read-submitted.ts';

/** The buttons that save the product. */
const SAVING: ReadonlySet<string> = new Set(['save', 'choose', 'keep-yours']);

type Shown = Pick<State, 'draft' | 'mistakes' | 'uploaded' | 'newRow' | 'preview' | 'status'>;

async function previewed(
  shop: Shop,
  { draft, uploaded, values }: Submitted,
  { id, createdAt }: Pick<CatalogueProduct, 'id' | 'createdAt'>,
  before?: CatalogueProduct,
): Promise<Shown> {
  if (!values) return { draft, uploaded };
  const checked = await checkProduct(shop.db, { id, createdAt, ...toInput(draft, values, before) });
  return checked.status === 'valid'
    ? { draft, uploaded, preview: drawPreview(checked.value, shop.apiOrigin) }
    : { draft, uploaded, mistakes: storedMistakes(checked.errors), status: 422 };
}

/** The form after a button such as 'Add an attribute'. It tells refused files at once, and other mistakes when it is saved. */
function continued({ action, draft, uploaded, refusals }: Submitted): Shown {
  return {
    draft,
    uploaded,
    ...(action === 'add-row' ? { newRow: draft.rows.length - 1 } : {}),
    ...(refusals.length > 0 ? { mistakes: new Map([['files', refusals.join(' ')]]), status: 422 } : {}),
  };
}

/** The form again; undefined where there is something to save. */
export async function shownAgain(
  shop: Shop,
  submitted: Submitted,
  product: Pick<CatalogueProduct, 'id' | 'createdAt'>,
  before?: CatalogueProduct,
): Promise<Shown | undefined> {
  const { action, draft, mistakes, uploaded } = submitted;
  const isSaving = SAVING.has(action);
  if (!isSaving && action !== 'preview') return continued(submitted);
  if (mistakes.size > 0) return { draft, mistakes, uploaded, status: 422 };
  return isSaving ? undefined : previewed(shop, submitted, product, before);
}

export const NEW = `${CATALOGUE}/new`;

export const idOf = (context: OfficeContext): string => context.req.param('id') ?? '';

export const noProduct = (): Refusal => new Refusal(404, 'There is no such product.');

async function suggestions({ db }: Shop): Promise<ProductFormView['suggestions']> {
  const products = await productList(db);
  return {
    category: categoryNames(products, 'category'),
    parentCategory: categoryNames(products, 'parentCategory'),
  };
}

/** What a product's form holds, and what stands around it. */
export interface State {
  readonly draft: Draft;
  /** What the editor's page first showed, by `seenOf`. */
  readonly seen: string;
  readonly uploaded?: readonly string[];
  readonly mistakes?: Mistakes;
  readonly newRow?: number;
  readonly preview?: Content;
  readonly status?: 200 | 409 | 422;
}

function drawSale(shop: Shop, { product, isOnSale }: StoredProduct): Content {
  const action = `${productPath(product.id)}/sale`;
  const [name, text, note] = isOnSale
    ? ['out', 'Take out of sale', 'Customers then no longer find it. Orders that hold it stay as they are.']
    : ['back', 'Bring back into sale', 'It returns to its old place in the shop.'];
  return html`<h2>${isOnSale ? 'On sale' : 'Out of sale'}</h2><p>${note}</p>
<form method="post" action="${action}">${hiddenInputs(shop, {})}<button class="quiet" name="do" value="${name}">${text}</button></form>`;
}

export async function showProduct(context: OfficeContext, shop: Shop, stored: StoredProduct, state: State) {
  const { product, isOnSale } = stored;
  const { seen, status = 200, uploaded = [], ...view } = state;
  const copy = `${NEW}?${new URLSearchParams({ copy: product.id })}`;
  const content = html`<div class="row top"><a href="${CATALOGUE}">All products</a>
<a class="button quiet small" href="${copy}">Copy</a>${isOnSale ? '' : html`<span class="badge">Out of sale</span>`}
<span class="hint">Id ${product.id}</span></div>
${drawProduct(shop, { ...view, suggestions: await suggestions(shop), uploaded, action: productPath(product.id), hidden: { seen } })}
${drawSale(shop, stored)}`;
  return showPage(context, {
    title: product.title,
    content,
    status,
    hasErrors: status !== 200,
    styles: 'catalogue.css',
  });
}

/** The form as it opens, with the stored values. */
export const fresh = ({ product }: StoredProduct): State => ({
  draft: draftOf(product),
  seen: seenOf(productParts(product)),
});

export async function showNew(context: OfficeContext, shop: Shop, state: Omit<State, 'seen'>) {
  const { status = 200, uploaded = [], ...view } = state;
  return showPage(context, {
    title: 'New product',
    content: html`<p class="row top"><a href="${CATALOGUE}">All products</a></p>
${drawProduct(shop, { ...view, suggestions: await suggestions(shop), uploaded, action: NEW, hidden: {}, hasId: true })}`,
    status,
    hasErrors: status !== 200,
    styles: 'catalogue.css',
  });
}
