import type { ReactNode } from 'react';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { differences } from '#server/admin/change-log.ts';
import { formVersionIn } from '#server/admin/form-version.ts';
import { Form, PostForm } from '#server/admin/forms/Form.tsx';
import type { Fields, Mistakes } from '#server/admin/forms/field.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { CATALOGUE, productPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Badge, Button, LinkButton } from '#server/admin/views/pieces.tsx';
import { categoryNames, productList } from '#server/catalogue/product-list.tsx';
import { requireProduct, type StoredProduct } from '#server/catalogue/stored-products.ts';
import type { Reader } from '#server/db/database.ts';
import { isoTime } from '#server/process/clock.ts';
import { lockCatalogue } from '#server/services/catalogue-version.ts';
import type { Services } from '#server/services/services.ts';
import { fresh, readRecord, type Shown, saveRecord } from '#server/store/save-record.tsx';
import { checkProduct, createProduct, discontinueProduct, saveProduct } from './edit-products.ts';
import { renderPreview } from './preview.tsx';
import { PRODUCT_FIELDS, productForm, productOf, textsOf } from './product-form.ts';

const NEW = `${CATALOGUE}/new`;

/** In bytes, with pictures. */
const FORM_MOST = 32 * 1_024 * 1_024;

/** Returns the product of the page; undefined for a new one. @throws Refusal 404 */
async function productOfPage(context: AdminContext, db: Reader): Promise<StoredProduct | undefined> {
  const id = context.req.param('id');
  return id === undefined ? undefined : requireProduct(db, id);
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
        <Button look="quiet" name="do" value={name}>
          {text}
        </Button>
      </PostForm>
    </>
  );
}

/** Shows the form of the page's product, or of a new one. Only Save stores it: Preview answers with the form again. */
async function show(
  context: AdminContext,
  services: Services,
  { version, status = 200, notice, typed, mistakes }: Shown,
  preview?: ReactNode,
) {
  const stored = await productOfPage(context, services.db);
  const products = await productList(services.db);
  const { category, parentCategory } = PRODUCT_FIELDS;
  const { id, ...fields }: Fields = {
    ...productForm.fields,
    category: { ...category.field, suggestions: categoryNames(products, 'category') },
    parentCategory: { ...parentCategory.field, suggestions: categoryNames(products, 'parentCategory') },
  };
  const copy = stored && `${NEW}?${new URLSearchParams({ copy: stored.product.id })}`;
  return showPage(context, {
    title: stored?.product.title ?? 'New product',
    content: (
      <>
        {notice}
        <div className="mb-5 flex flex-wrap items-center gap-3">
          <a href={CATALOGUE}>All products</a>{' '}
          {stored && (
            <>
              <LinkButton look="quiet" size="small" href={copy}>
                Copy
              </LinkButton>
              {stored.isDiscontinued && <Badge>Discontinued</Badge>}
              <span className="text-caption text-ink2">Id {stored.product.id}</span>
            </>
          )}
        </div>
        <Form
          fields={{ ...fields, ...(!stored && id && { id }) }}
          action={stored ? productPath(stored.product.id) : NEW}
          submit="Save"
          typed={typed}
          mistakes={mistakes}
          hidden={{ version }}
          more={
            <Button look="quiet" name="do" value="preview">
              Preview
            </Button>
          }
        >
          {preview}
        </Form>
        {stored && renderDiscontinue(stored)}
      </>
    ),
    status,
  });
}

/** Shows the page's product, or a new one, which may be a copy. */
async function open(context: AdminContext, services: Services) {
  const stored = await productOfPage(context, services.db);
  if (stored) return show(context, services, fresh(textsOf(stored.product)));
  const from = context.req.query('copy');
  if (from === undefined) return show(context, services, fresh({}));
  const { product } = await requireProduct(services.db, from);
  const title = `${product.title.slice(0, 190)} (copy)`;
  return show(context, services, { typed: { ...textsOf(product), title }, version: '' });
}

async function preview(context: AdminContext, services: Services): Promise<Response> {
  const sent = context.get('form');
  const before = (await productOfPage(context, services.db))?.product;
  const parsed = await readRecord(services, productForm, sent);
  const shown = { typed: parsed.typed, version: formVersionIn(sent) };
  const refuse = (mistakes: Mistakes) => show(context, services, { ...shown, mistakes, status: 422 });
  if (!parsed.isValid) return refuse(parsed.mistakes);
  const input = productOf(parsed.values, before);
  const { id = input.id || 'new', createdAt = isoTime(services.clock()) } = before ?? {};
  const checked = await checkProduct(services.db, { ...input, id, createdAt });
  return 'mistakes' in checked
    ? refuse(checked.mistakes)
    : show(context, services, shown, renderPreview(checked.product, services.apiOrigin, services.clock()));
}

const save = (context: AdminContext, services: Services): Promise<Response> =>
  saveRecord(context, services, {
    form: productForm,
    show: (shown) => show(context, services, shown),
    find: (transaction) => productOfPage(context, transaction),
    textsOf: (stored) => (stored ? textsOf(stored.product) : {}),
    async store(transaction, log, values, stored) {
      const input = productOf(values, stored?.product);
      if (!stored) {
        const created = await createProduct(transaction, input, isoTime(services.clock()));
        if ('mistakes' in created) return created;
        const { id, ...fields } = created.product;
        await log({ action: 'added', target: ['product', id], to: fields });
        const message = `${fields.title} was added. Publish it to show it in the shop.`;
        return { to: productPath(id), message };
      }
      const { id } = stored.product;
      const saved = await saveProduct(transaction, id, input);
      if ('mistakes' in saved) return saved;
      const { title } = saved.product;
      const to = productPath(id);
      const changes = differences(textsOf(stored.product), textsOf(saved.product));
      if (Object.keys(changes.to).length === 0) return { to, message: `${title} is unchanged.` };
      await log({ action: 'changed', target: ['product', id], ...changes });
      return { to, message: `${title} was saved. Publish it to show it in the shop.` };
    },
  });

const submit = (context: AdminContext, services: Services): Promise<Response> =>
  (context.get('form').get('do') === 'preview' ? preview : save)(context, services);

/** Discontinues a product, or brings it back. It changes nothing else, so the form needs no version. */
async function setDiscontinued(context: AdminContext, services: Services): Promise<Response> {
  const id = context.req.param('id') ?? '';
  const isDiscontinued = context.get('form').get('do') !== 'bring-back';
  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    const { product, isDiscontinued: wasDiscontinued } = await requireProduct(transaction, id);
    if (isDiscontinued !== wasDiscontinued) {
      const done = await discontinueProduct(transaction, product, isDiscontinued);
      if ('mistakes' in done) {
        const shown: Shown = { ...fresh(textsOf(product)), ...done, status: 422 };
        throw new ChangeAborted(() => show(context, services, shown));
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
  { method: 'GET', path: '/catalogue/new', access: 'catalogue.write', handle: open },
  { method: 'POST', path: '/catalogue/new', access, formMost: FORM_MOST, handle: submit },
  { method: 'GET', path: '/catalogue/products/:id', access, handle: open },
  { method: 'POST', path: '/catalogue/products/:id', access, formMost: FORM_MOST, handle: submit },
  { method: 'POST', path: '/catalogue/products/:id/discontinued', access, handle: setDiscontinued },
];
