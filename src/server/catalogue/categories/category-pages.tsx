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

async function showList(context: AdminContext, services: Services) {
  const list = await categories(services.db);
  const counts = new Map<string, number>();
  for (const { product, isDiscontinued } of await storedProducts(services.db)) {
    const name = product.category.toLowerCase();
    if (!isDiscontinued) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const rows = list.map(({ name, image }, index) => [
    String(index + 1),
    <Row>
      {image !== '' && <Picture name={image} alt="" />}
      <a href={`${EDIT}?${new URLSearchParams({ name })}`}>{name}</a>
    </Row>,
    String(counts.get(name.toLowerCase()) ?? 0),
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
        <Table
          caption="In the order of the shop"
          heads={['Place', 'Category', 'Products on sale']}
          rows={rows}
        />
      </>
    ),
  });
}

const WRONG_PLACE = 'must be a whole number from 1';

const categoryForm = defineForm(
  v.object({
    name: categoryName,
    place: v.pipe(v.number(WRONG_PLACE), v.integer(WRONG_PLACE), v.minValue(1, WRONG_PLACE)),
    image: SinglePictureSchema,
  }),
  {
    name: { label: 'Name', hint: 'The products of this category follow a new name.', control: 'text' },
    place: { label: 'Place', hint: 'In the menu.', control: 'number', inputmode: 'numeric' },
    image: picturesField('Picture', 1),
  },
);

/** A stored category and its place, from 1. */
interface Placed extends Category {
  readonly place: number;
}

async function placedCategory(db: Reader, stored: string | undefined): Promise<Placed | undefined> {
  const list = await categories(db);
  const index = list.findIndex(({ name }) => name === stored);
  const found = list[index];
  return found && { ...found, place: index + 1 };
}

const textsOf = (category: Placed | undefined): Parts =>
  category ? { name: category.name, place: String(category.place), image: category.image } : {};

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

async function requireCategory(db: Reader, storedName: string | undefined): Promise<Placed> {
  const found = await placedCategory(db, storedName);
  if (!found) throw noSuchCategory();
  return found;
}

async function showNew(context: AdminContext, { db }: Services) {
  const place = String((await categories(db)).length + 1);
  return show(context, undefined, { typed: { place }, version: '' });
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
      const found = await placedCategory(transaction, storedName);
      if (storedName !== undefined && !found) throw new ChangeAborted(() => showRemoved(typed));
      return found;
    },
    textsOf,
    async store(transaction, log, { place, ...category }, before) {
      const list = await categories(transaction);
      const others = list.filter(({ name }) => name !== before?.name);
      const edited = others.toSpliced(place - 1, 0, category);
      const changes = differences(
        textsOf(before),
        textsOf({ ...category, place: edited.indexOf(category) + 1 }),
      );
      if (isDeepStrictEqual(edited, list)) return { to: PATH, message: 'Nothing was different.' };
      const renamed = before && { from: before.name, to: category.name };
      const problem = await saveCategories(transaction, edited, renamed);
      if (problem !== undefined) return { mistakes: new Map([['name', `Name ${problem}`]]) };
      const action = before ? 'changed' : 'added';
      await log({ action, target: ['category', category.name], ...changes });
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

const access = 'store';

export const CATEGORY_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/store/categories', access, handle: showList },
  { method: 'POST', path: '/store/categories/remove', access, handle: remove },
  { method: 'GET', path: '/store/categories/new', access: 'store.write', handle: showNew },
  { method: 'GET', path: '/store/categories/edit', access, handle: showEdit },
  { method: 'POST', path: '/store/categories/edit', access, handle: save, formMost: PICTURE_FORM_MOST },
];
