import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { nameKey } from '#domain/product.ts';
import { change } from '#server/admin/change.ts';
import { differences } from '#server/admin/change-log.ts';
import type { Parts } from '#server/admin/form-version.ts';
import { DangerForm } from '#server/admin/forms/Form.tsx';
import { defineForm, parseForm, sentText } from '#server/admin/forms/parse.ts';
import { MAX_UPLOAD_BYTES, picturesField, recordEditor } from '#server/admin/forms/record-editor.tsx';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ADMIN, CATEGORIES as PATH } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { ConflictNotice, LinkButton, Picture, Row, Table } from '#server/admin/views/pieces.tsx';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import { lockCatalogue } from '#server/db/catalogue-version.ts';
import type { Reader } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { type Category, categories, categoryName, saveCategories } from './stored-categories.ts';

const EDIT = `${PATH}/edit`;

const editPath = (name: string): string => `${EDIT}?${new URLSearchParams({ name })}`;

async function showList(context: AdminContext, services: Services) {
  const list = await categories(services.db);
  const sold = (await storedProducts(services.db)).filter(({ isDiscontinued }) => !isDiscontinued);
  const byCategory = Map.groupBy(sold, ({ product }) => nameKey(product.category));
  const rows = list.map(({ name, image }, index) => [
    String(index + 1),
    <Row className="flex items-center gap-3">
      {image !== '' && <Picture name={image} alt="" />}
      <a href={editPath(name)}>{name}</a>
    </Row>,
    String(byCategory.get(nameKey(name))?.length ?? 0),
  ]);
  return showPage(context, {
    title: 'Categories',
    content: (
      <>
        <Row>
          <LinkButton isMain href={`${PATH}/new`}>
            New category
          </LinkButton>
          <LinkButton href={`${ADMIN}/store`}>Store</LinkButton>
        </Row>
        <p className="mt-3">The first three are in the menu and on the home page.</p>
        <div className="[&_td]:align-middle!">
          <Table
            caption="In the order of the shop"
            heads={['Place', 'Category', 'Products on sale']}
            rows={rows}
          />
        </div>
      </>
    ),
  });
}

const WRONG_PLACE = 'must be a whole number from 1';

const categoryForm = defineForm(
  v.object({
    name: categoryName,
    place: v.pipe(v.number(WRONG_PLACE), v.integer(WRONG_PLACE), v.minValue(1, WRONG_PLACE)),
    image: v.string(),
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

/** Returns the category of a page; undefined for the address of a new one. @throws Refusal 404 */
async function findCategory(name: string | undefined, db: Reader): Promise<Placed | undefined> {
  if (name === undefined) return undefined;
  const list = await categories(db);
  const index = list.findIndex((each) => each.name === name);
  const found = list[index];
  if (!found) throw new Refusal(404, 'There is no such category. It may have been removed or renamed.');
  return { ...found, place: index + 1 };
}

const textsOf = (category: Placed | undefined): Parts =>
  category ? { name: category.name, place: String(category.place), image: category.image } : {};

const nameOf = (context: AdminContext): string | undefined => context.req.query('name');

const categoryEditor = recordEditor({
  form: categoryForm,
  lock: lockCatalogue,
  find: (context, _services, db) => findCategory(nameOf(context), db),
  textsOf,
  view: (stored) =>
    stored === undefined
      ? { title: 'New category', action: EDIT, back: PATH }
      : {
          title: stored.name,
          action: editPath(stored.name),
          back: PATH,
          below: (
            <>
              <h2>Remove</h2>
              <p>The menu no longer shows it. Its products stay on sale, and can be found by search.</p>
              <DangerForm
                action={`${PATH}/remove`}
                hidden={{ storedName: stored.name }}
                summary={`Remove ${stored.name}`}
              >
                Yes, remove {stored.name}
              </DangerForm>
            </>
          ),
        },
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
    if (problem !== undefined) return { errors: new Map([['name', `Name ${problem}`]]) };
    const action = before ? 'changed' : 'added';
    await log({ action, target: ['category', category.name], ...changes });
    return { to: PATH, message: `${category.name} was saved. Publish to show it to shoppers.` };
  },
});

async function showNew(context: AdminContext, services: Services) {
  const place = String((await categories(services.db)).length + 1);
  return categoryEditor.show(context, services, undefined, { values: { place }, version: '' });
}

/** If the category was renamed or removed, the typed values can be saved as a new one. */
async function save(context: AdminContext, services: Services): Promise<Response> {
  const name = nameOf(context);
  if (name === undefined || (await categories(services.db)).some((each) => each.name === name))
    return categoryEditor.save(context, services);
  const { values } = parseForm(categoryForm, context.get('form'));
  const notice = (
    <ConflictNotice
      conflicts={[{ label: 'Category', yours: String(values.name), now: `There is no ${name} any more` }]}
      again="It was renamed or removed. The form has your values: if you save it again, they become a new category."
    />
  );
  return categoryEditor.show(context, services, undefined, { values, version: '', notice });
}

async function remove(context: AdminContext, services: Services): Promise<Response> {
  const storedName = sentText(context.get('form'), 'storedName');
  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    await findCategory(storedName, transaction);
    const list = await categories(transaction);
    const problem = await saveCategories(
      transaction,
      list.filter(({ name }) => name !== storedName),
    );
    if (problem !== undefined) throw new Refusal(409, `The list of categories ${problem}.`);
    const from = list.find(({ name }) => name === storedName);
    await log({ action: 'removed', target: ['category', storedName], ...(from && { from: { ...from } }) });
    return { to: PATH, message: `${storedName} was removed. Publish to remove it from the shop.` };
  });
}

const access = 'store';

export const CATEGORY_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/store/categories', access, handle: showList },
  { method: 'POST', path: '/store/categories/remove', access, handle: remove },
  { method: 'GET', path: '/store/categories/new', access: 'store.write', handle: showNew },
  { method: 'GET', path: '/store/categories/edit', access, handle: categoryEditor.open },
  {
    method: 'POST',
    path: '/store/categories/edit',
    access,
    handle: save,
    maxFormBytes: MAX_UPLOAD_BYTES,
  },
];
