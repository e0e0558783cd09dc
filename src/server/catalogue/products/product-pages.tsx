import type { ReactNode } from 'react';
import type * as v from 'valibot';
import { sizesOf } from '#domain/attributes.ts';
import { isTooLate } from '#domain/sale.ts';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { differences } from '#server/admin/change-log.ts';
import { formVersionIn } from '#server/admin/form-version.ts';
import { PostForm } from '#server/admin/forms/Form.tsx';
import type { Errors } from '#server/admin/forms/field.ts';
import {
  fresh,
  MAX_UPLOAD_BYTES,
  readRecord,
  recordEditor,
  type Shown,
} from '#server/admin/forms/record-editor.tsx';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { CATALOGUE, productPath } from '#server/admin/paths.ts';
import { Badge, Button, LinkButton } from '#server/admin/views/pieces.tsx';
import { categoryNames, productList } from '#server/catalogue/product-list.tsx';
import type { CatalogueProduct } from '#server/catalogue/schema.ts';
import { requireProduct, type StoredProduct } from '#server/catalogue/stored-products.ts';
import { lockCatalogue } from '#server/db/catalogue-version.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { isoTime } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { readStock, stockText } from '#server/stock/stock-facts.ts';
import { editStock, productStock, setLowMark } from '#server/stock/stored-stock.ts';
import { checkProduct, createProduct, discontinueProduct, saveProduct } from './edit-products.ts';
import { renderPreview } from './preview.tsx';
import { productForm, productFromForm, productTexts } from './product-form.ts';

const NEW = `${CATALOGUE}/new`;

interface EditedProduct extends StoredProduct, Awaited<ReturnType<typeof productStock>> {}

/** @throws Refusal 404 */
const editedProduct = async (db: Reader, id: string): Promise<EditedProduct> => ({
  ...(await requireProduct(db, id)),
  ...(await productStock(db, id)),
});

/** Returns the product of the page; undefined for a new one. @throws Refusal 404 */
async function productOfPage(context: AdminContext, db: Reader): Promise<EditedProduct | undefined> {
  const id = context.req.param('id');
  return id === undefined ? undefined : editedProduct(db, id);
}

const stockOf = ({ product, pieces }: EditedProduct): string =>
  stockText(pieces, sizesOf(product.attributes), '\n');

/** The texts of the form but the stock, because what is sold meanwhile is no edit conflict. */
const textsOf = ({ product, low }: EditedProduct) => ({ ...productTexts(product), low: String(low ?? '') });

const allTexts = (stored: EditedProduct) => ({ ...textsOf(stored), stock: stockOf(stored) });

/** Stores the stock of a form. Returns an error if it cannot be used. */
async function saveStock(
  transaction: Transaction,
  { id, attributes }: CatalogueProduct,
  values: v.InferOutput<typeof productForm.schema>,
): Promise<{ readonly errors: Errors } | undefined> {
  const [now, before] = [readStock(values.stock, sizesOf(attributes)), readStock(values.stockBefore)];
  if (typeof now === 'string') return { errors: new Map([['stock', `Stock ${now}`]]) };
  await editStock(transaction, id, { now, before: typeof before === 'string' ? undefined : before });
  await setLowMark(transaction, id, typeof values.low === 'number' ? values.low : null);
  return undefined;
}

function renderDiscontinue({ product, isDiscontinued }: StoredProduct): ReactNode {
  const [name, text, note] = isDiscontinued
    ? ['bring-back', 'Bring back', 'It returns to its old place in the shop.']
    : ['discontinue', 'Discontinue', 'Customers then no longer find it. Orders with it stay as they are.'];
  return (
    <>
      <h2>{isDiscontinued ? 'Discontinued' : 'Discontinue'}</h2>
      <p>{note}</p>
      <PostForm action={`${productPath(product.id)}/discontinued`}>
        <Button variant="quiet" name="do" value={name}>
          {text}
        </Button>
      </PostForm>
    </>
  );
}

const TOO_LATE = 'Sale until is over, so this sale price would not count: choose a later time, or none';

const productEditor = recordEditor({
  form: productForm,
  lock: lockCatalogue,
  find: (context, _services, db) => productOfPage(context, db),
  textsOf: (stored) => (stored ? textsOf(stored) : {}),
  async view(stored, services, values) {
    const products = await productList(services.db);
    const { fields } = productForm;
    const copy = stored && `${NEW}?${new URLSearchParams({ copy: stored.product.id })}`;
    const stock = stored ? stockOf(stored) : '';
    return {
      title: stored?.product.title ?? 'New product',
      values: { stock, stockBefore: stock, ...values },
      action: stored ? productPath(stored.product.id) : NEW,
      fields: {
        ...fields,
        category: { ...fields.category, suggestions: categoryNames(products, 'category') },
        parentCategory: { ...fields.parentCategory, suggestions: categoryNames(products, 'parentCategory') },
      },
      intro: (
        <div className="mb-5 flex flex-wrap items-center gap-3">
          <a href={CATALOGUE}>All products</a>{' '}
          {stored && (
            <>
              <LinkButton size="small" href={copy}>
                Copy
              </LinkButton>
              {stored.isDiscontinued && <Badge>Discontinued</Badge>}
              <span className="text-caption text-ink2">Id {stored.product.id}</span>
            </>
          )}
        </div>
      ),
      more: (
        <Button variant="quiet" name="do" value="preview">
          Preview
        </Button>
      ),
      below: stored && renderDiscontinue(stored),
    };
  },
  async store(transaction, log, output, stored, services) {
    const input = productFromForm(output, stored?.product);
    if (isTooLate(stored?.product, output, services.clock()))
      return { errors: new Map([['saleUntil', TOO_LATE]]) };
    if (!stored) {
      const created = await createProduct(transaction, input, isoTime(services.clock()));
      if ('errors' in created) return created;
      const { id, ...fields } = created.product;
      const refused = await saveStock(transaction, created.product, output);
      if (refused) return refused;
      const stock = stockOf(await editedProduct(transaction, id));
      await log({ action: 'added', target: ['product', id], to: { ...fields, ...(stock && { stock }) } });
      const message = `${fields.title} was added. Publish it to show it in the shop.`;
      return { to: productPath(id), message };
    }
    const { id } = stored.product;
    const saved = await saveProduct(transaction, id, input);
    const refused = 'errors' in saved ? saved : await saveStock(transaction, saved.product, output);
    if (refused) return refused;
    const now = await editedProduct(transaction, id);
    const { title } = now.product;
    const to = productPath(id);
    const changes = differences(allTexts(stored), allTexts(now));
    if (Object.keys(changes.to).length === 0) return { to, message: `${title} is unchanged.` };
    await log({ action: 'changed', target: ['product', id], ...changes });
    return { to, message: `${title} was saved. Publish it to show it in the shop.` };
  },
});

/** Shows a new product, which may be a copy. */
async function openNew(context: AdminContext, services: Services) {
  const from = context.req.query('copy');
  if (from === undefined) return productEditor.open(context, services);
  const { product } = await requireProduct(services.db, from);
  const values = { ...productTexts(product), title: `${product.title.slice(0, 190)} (copy)` };
  return productEditor.show(context, services, undefined, { values, version: '' });
}

/** Answers with the form again: only Save stores it. */
async function preview(context: AdminContext, services: Services): Promise<Response> {
  const sent = context.get('form');
  const stored = await productOfPage(context, services.db);
  const parsed = await readRecord(services, productForm, sent);
  const show = (more: Partial<Shown>) =>
    productEditor.show(context, services, stored, {
      values: parsed.values,
      version: formVersionIn(sent),
      ...more,
    });
  if (!parsed.isValid) return show({ errors: parsed.errors });
  const input = productFromForm(parsed.output, stored?.product);
  const { id = 'new', createdAt = isoTime(services.clock()) } = stored?.product ?? {};
  const checked = await checkProduct(services.db, { ...input, id, createdAt });
  return 'errors' in checked
    ? show({ errors: checked.errors })
    : show({ preview: renderPreview(checked.product, services.apiOrigin, services.clock()) });
}

const submit = (context: AdminContext, services: Services): Promise<Response> =>
  (context.get('form').get('do') === 'preview' ? preview : productEditor.save)(context, services);

/** Discontinues a product, or brings it back. It changes nothing else, so the form needs no version. */
async function setDiscontinued(context: AdminContext, services: Services): Promise<Response> {
  const id = context.req.param('id') ?? '';
  const isDiscontinued = context.get('form').get('do') !== 'bring-back';
  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    const stored = await requireProduct(transaction, id);
    const { product, isDiscontinued: wasDiscontinued } = stored;
    if (isDiscontinued !== wasDiscontinued) {
      const done = await discontinueProduct(transaction, product, isDiscontinued);
      if ('errors' in done) {
        const again = await editedProduct(transaction, id);
        const shown = { ...fresh(textsOf(again)), errors: done.errors };
        throw new ChangeAborted(() => productEditor.show(context, services, again, shown));
      }
      await log({
        action: isDiscontinued ? 'discontinued' : 'brought back',
        target: ['product', id],
        from: { isDiscontinued: wasDiscontinued },
        to: { isDiscontinued },
      });
    }
    const message = isDiscontinued
      ? `${product.title} is discontinued. Publish to remove it from the shop.`
      : `${product.title} is sold again. Publish to show it in the shop.`;
    return { to: productPath(id), message };
  });
}

const access = 'catalogue';

export const PRODUCT_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/catalogue/new', access: 'catalogue.write', handle: openNew },
  { method: 'POST', path: '/catalogue/new', access, maxFormBytes: MAX_UPLOAD_BYTES, handle: submit },
  { method: 'GET', path: '/catalogue/products/:id', access, handle: productEditor.open },
  { method: 'POST', path: '/catalogue/products/:id', access, maxFormBytes: MAX_UPLOAD_BYTES, handle: submit },
  { method: 'POST', path: '/catalogue/products/:id/discontinued', access, handle: setDiscontinued },
];
