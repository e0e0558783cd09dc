import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { differences } from '#server/admin/change-log.ts';
import type { Parts } from '#server/admin/form-version.ts';
import { Form, PostForm } from '#server/admin/forms/Form.tsx';
import type { Typed } from '#server/admin/forms/field.ts';
import { defineForm, sentText } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ADMIN, CATEGORIES as PATH } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Button, ConflictNotice, LinkButton, Picture, Row, Table } from '#server/admin/views/pieces.tsx';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import type { Reader } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { lockCatalogue } from '#server/services/catalogue-version.ts';
import type { Services } from '#server/services/services.ts';
import {
  fresh,
  PICTURE_FORM_MOST,
  picturesField,
  type Shown,
  SinglePictureSchema,
  saveRecord,
} from '#server/store/save-record.tsx';
import { type Category, categories, categoryName, saveCategories } from './stored-categories.ts';

const EDIT = `${PATH}/edit`;

const editPath = (name: string): string => `${EDIT}?${new URLSearchParams({ name })}`;

async function showList(context: AdminContext, services: Services) {
  const list = await categories(services.db);
  const counts = new Map<string, number>();
  for (const { product, isDiscontinued } of await storedProducts(services.db)) {
    const name = product.category.toLowerCase();
    if (!isDiscontinued) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const button = (to: 'up' | 'down', name: string, text: string) => (
    <Button look="quiet" name={to} value={name} aria-label={`Move ${name} ${to}`}>
      {text}
    </Button>
  );
  const rows = list.map(({ name, image }, index) => [
    <Row>
      {image !== '' && <Picture name={image} alt="" />}
      <a href={editPath(name)}>{name}</a>
    </Row>,
    String(counts.get(name.toLowerCase()) ?? 0),
    <Row>
      {index !== 0 && button('up', name, '↑')}
      {index !== list.length - 1 && button('down', name, '↓')}
    </Row>,
  ]);
  return showPage(context, {
    title: 'Categories',
    content: (
      <>
        <Row>
          <LinkButton href={`${PATH}/new`}>New category</LinkButton>
          <LinkButton look="quiet" href={`${ADMIN}/store`}>
            Store
          </LinkButton>
        </Row>
        <p>The first three are in the menu and on the home page.</p>
        <PostForm action={`${PATH}/move`}>
          <Table
            caption="In the order of the shop"
            heads={['Category', 'Products on sale', 'Order']}
            rows={rows}
          />
        </PostForm>
      </>
    ),
  });
}

const categoryForm = defineForm(v.object({ name: categoryName, image: SinglePictureSchema }), {
  name: { label: 'Name', hint: 'The products of this category follow a new name.', control: 'text' },
  image: picturesField('Picture', 1),
});

const textsOf = (category: Category | undefined): Parts => ({ ...category });

/** @param storedName undefined for a new category */
function show(
  context: AdminContext,
  storedName: string | undefined,
  { typed, version, notice, mistakes, status = 200 }: Shown,
) {
  return showPage(context, {
    title: storedName ?? 'New category',
    content: (
      <>
        {notice}
        <Form
          fields={categoryForm.fields}
          action={EDIT}
          submit="Save"
          typed={typed}
          mistakes={mistakes}
          hidden={{ version, ...(storedName !== undefined && { storedName }) }}
          more={
            <LinkButton look="quiet" href={PATH}>
              Back
            </LinkButton>
          }
        />
        {storedName !== undefined && (
          <>
            <h2>Remove</h2>
            <p>The menu no longer shows it. Its products stay on sale, and can be found by search.</p>
            <details>
              <summary>Remove {storedName}</summary>
              <PostForm action={`${PATH}/remove`} hidden={{ storedName }}>
                <Button look="danger">Yes, remove {storedName}</Button>
              </PostForm>
            </details>
          </>
        )}
      </>
    ),
    status,
  });
}

const noSuchCategory = (): Refusal =>
  new Refusal(404, 'There is no such category. It may have been removed or renamed.');

async function requireCategory(db: Reader, storedName: string | undefined): Promise<Category> {
  const found = (await categories(db)).find(({ name }) => name === storedName);
  if (!found) throw noSuchCategory();
  return found;
}

async function showEdit(context: AdminContext, { db }: Services) {
  const category = await requireCategory(db, context.req.query('name'));
  return show(context, category.name, fresh(textsOf(category)));
}

function save(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const storedName = form.has('storedName') ? sentText(form, 'storedName') : undefined;

  /** Shows an edit conflict with a renamed or removed category. The typed values can be saved as a new one. */
  function showRemoved(typed: Typed) {
    const now = `There is no ${storedName} any more`;
    const notice = (
      <ConflictNotice
        conflicts={[{ label: 'Category', yours: String(typed.name), now }]}
        again="It was renamed or removed. The form has your values: if you save it again, they become a new category."
      />
    );
    return show(context, undefined, { ...fresh({}), typed, notice, status: 409 });
  }

  return saveRecord(context, services, {
    form: categoryForm,
    show: (shown) => show(context, storedName, shown),
    async find(transaction, typed) {
      const found = (await categories(transaction)).find(({ name }) => name === storedName);
      if (storedName !== undefined && !found) throw new ChangeAborted(() => showRemoved(typed));
      return found;
    },
    textsOf,
    async store(transaction, log, category, before) {
      if (isDeepStrictEqual(before, category)) return { to: PATH, message: 'Nothing was different.' };
      const list = await categories(transaction);
      const edited = before
        ? list.map((each) => (each.name === before.name ? category : each))
        : [...list, category];
      const renamed = before && { from: before.name, to: category.name };
      const problem = await saveCategories(transaction, edited, renamed);
      if (problem !== undefined) return { mistakes: new Map([['name', `Name ${problem}`]]) };
      await log({
        action: before ? 'changed' : 'added',
        target: ['category', category.name],
        ...differences(textsOf(before), category),
      });
      return { to: PATH, message: `${category.name} was saved. Publish to show it to shoppers.` };
    },
  });
}

async function remove(context: AdminContext, services: Services): Promise<Response> {
  const storedName = sentText(context.get('form'), 'storedName');
  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    const { name, image } = await requireCategory(transaction, storedName);
    const list = (await categories(transaction)).filter((category) => category.name !== name);
    const problem = await saveCategories(transaction, list);
    if (problem !== undefined) throw new Refusal(409, `The list of categories ${problem}.`);
    await log({ action: 'removed', target: ['category', name], from: { name, image } });
    return { to: PATH, message: `${name} was removed. Publish to remove it from the shop.` };
  });
}

/** Moves a category by one place from its current place, so the form needs no version. */
async function move(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const step = form.has('up') ? -1 : 1;
  const name = sentText(form, step < 0 ? 'up' : 'down');
  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    const list = await categories(transaction);
    const from = list.findIndex((category) => category.name === name);
    const [moved] = list.slice(from);
    if (from < 0 || !moved) throw noSuchCategory();
    const to = Math.max(0, Math.min(list.length - 1, from + step));
    if (from === to) return { to: PATH, message: `${name} stays at place ${to + 1}.` };
    await saveCategories(transaction, list.toSpliced(from, 1).toSpliced(to, 0, moved));
    const places = { from: { place: from + 1 }, to: { place: to + 1 } };
    await log({ action: 'moved', target: ['category', name], ...places });
    return { to: PATH, message: `${name} is now at place ${to + 1}.` };
  });
}

const access = 'store';

export const CATEGORY_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/store/categories', access, handle: showList },
  { method: 'POST', path: '/store/categories/move', access, handle: move },
  { method: 'POST', path: '/store/categories/remove', access, handle: remove },
  {
    method: 'GET',
    path: '/store/categories/new',
    access: 'store.write',
    handle: (context) => show(context, undefined, fresh({})),
  },
  { method: 'GET', path: '/store/categories/edit', access, handle: showEdit },
  { method: 'POST', path: '/store/categories/edit', access, handle: save, formMost: PICTURE_FORM_MOST },
];
