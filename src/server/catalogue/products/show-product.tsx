import type { ReactNode } from 'react';
import * as v from 'valibot';
import { ProductSchema } from '#api/schema/product.ts';
import { specifications } from '#domain/attributes.ts';
import { toCard } from '#domain/card.ts';
import { formatRupees } from '#domain/money.ts';
import { discountPercent, isOnSale, isPriced, type Product, shortId, sizeHeading } from '#domain/product.ts';
import { PRICE_LINES } from '#domain/product-texts.ts';
import { discountAt } from '#domain/sale.ts';
import { formVersionOf } from '#server/admin/form-version.ts';
import { PostForm } from '#server/admin/forms/Form.tsx';
import type { Mistakes } from '#server/admin/forms/field.ts';
import type { AdminContext } from '#server/admin/page.ts';
import { CATALOGUE, productPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Badge, Button, Hint, LinkButton } from '#server/admin/views/pieces.tsx';
import { categoryNames, productList } from '#server/catalogue/product-list.tsx';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import type { StoredProduct } from '#server/catalogue/stored-products.ts';
import { isImageName } from '#server/http/names.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { type Draft, draftOf, draftParts, toInput } from './draft.ts';
import { checkProduct } from './edit-products.ts';
import { type ProductFormView, renderProduct } from './product-view.tsx';
import { type Submitted, storedMistakes } from './read-submitted.ts';

/** Like in the shop: the regular price struck out, and the discount. */
function price(product: Pick<Product, 'price' | 'originalPrice'>): ReactNode {
  const { originalPrice = 0 } = product;
  if (!isPriced(product))
    return (
      <p className="price mb-2">
        <strong>Price unavailable</strong>
      </p>
    );
  if (!isOnSale(product))
    return (
      <p className="price mb-2">
        <strong>{formatRupees(product.price)}</strong>
      </p>
    );
  const percent = discountPercent(product);
  return (
    <p className="price mb-2">
      <strong>{formatRupees(product.price)}</strong> <s>{formatRupees(originalPrice)}</s>
      {percent > 0 && <span className="price-off">−{percent}%</span>}
    </p>
  );
}

const picture = (src: string, tint: string, badge: ReactNode): ReactNode => (
  <div className={`panel grid h-60 place-items-center rounded-card text-fixed-ink ${tint}`}>
    {src === '' ? 'No picture' : <img src={src} alt="" />}
    {badge}
  </div>
);

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
export function renderPreview(dto: CatalogueProduct, apiOrigin: string, now: number): ReactNode {
  const address = (image: string): string => (isImageName(image) ? `${apiOrigin}/images/${image}` : image);
  const images = dto.images.map(({ url }) => ({ url: address(url) }));
  const discountedPrice = discountAt(dto, now);
  const product = v.parse(ProductSchema, { ...dto, discountedPrice, imgUrl: address(dto.imgUrl), images });
  const card = toCard(product, undefined, []);
  const badge: ReactNode = isOnSale(product) && <span className="sale-badge">Sale</span>;
  const rows = specifications(product.attributes).map(({ name, value }) => (
    <div key={name} className="grid grid-cols-[2fr_3fr] gap-2 border-line border-b py-2">
      <dt>{name}</dt>
      <dd className="m-0">{value}</dd>
    </div>
  ));
  const lines = PRICE_LINES.map(({ text }) => text(product)).filter(Boolean);
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
          {picture(product.image, card.tint, badge)}
          <p className="mt-3 mb-0 text-fine text-ink2">{card.category}</p>
          <h3 className="my-1 text-lead leading-[1.3]">{card.name}</h3>
          {price(card)}
        </div>
        <div className="grow basis-65">
          <Hint>As a page</Hint>
          {picture(product.image, card.tint, badge)}
          <div>
            <p className="mt-3 mb-0 text-fine text-ink2">{card.category}</p>
            <h3 className="my-1 text-lead leading-[1.3]">{product.name}</h3>
            {price(product)}
            <Hint>{shortId(product.id)}</Hint>
            {lines.map((line) => (
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
                <dl>{rows}</dl>
              </>
            )}
          </div>
        </div>
      </div>
    </section>
  );
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
    ? { draft, uploaded, preview: renderPreview(checked.value, services.apiOrigin, services.clock()) }
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
  readonly notice?: ReactNode;
  readonly mistakes?: Mistakes;
  readonly newRow?: number;
  readonly preview?: ReactNode;
  readonly status?: 200 | 409 | 422;
}

function renderDiscontinue({ product, isDiscontinued }: StoredProduct): ReactNode {
  const action = `${productPath(product.id)}/discontinued`;
  const [name, text, note] = isDiscontinued
    ? ['bring-back', 'Bring back', 'It returns to its old place in the shop.']
    : ['discontinue', 'Discontinue', 'Customers then no longer find it. Orders with it stay as they are.'];
  return (
    <>
      <h2>{isDiscontinued ? 'Discontinued' : 'Discontinue'}</h2>
      <p>{note}</p>
      <PostForm action={action}>
        <Button look="quiet" name="do" value={name}>
          {text}
        </Button>
      </PostForm>
    </>
  );
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
  const content = (
    <>
      {notice}
      <div className="mb-5 flex flex-wrap items-center gap-3">
        <a href={CATALOGUE}>All products</a>{' '}
        <LinkButton look="quiet" size="small" href={copy}>
          Copy
        </LinkButton>
        {isDiscontinued && <Badge>Discontinued</Badge>}
        <span className="text-caption text-ink2">Id {product.id}</span>
      </div>
      {renderProduct({
        ...view,
        suggestions: await suggestions(services),
        uploaded,
        action: productPath(product.id),
        hidden: { version },
      })}
      {renderDiscontinue(stored)}
    </>
  );
  return showPage(context, {
    title: product.title,
    content,
    status,
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
    content: (
      <>
        <p className="mb-5">
          <a href={CATALOGUE}>All products</a>
        </p>
        {renderProduct({
          ...view,
          suggestions: await suggestions(services),
          uploaded,
          action: NEW,
          hidden: {},
          hasId: true,
        })}
      </>
    ),
    status,
  });
}
