import { isDeepStrictEqual } from 'node:util';
import type { ReactNode } from 'react';
import * as v from 'valibot';
import { ChangeAborted, change, type Done } from '#server/admin/change.ts';
import {
  type Comparison,
  formVersionIn,
  formVersionOf,
  requireFormVersion,
} from '#server/admin/form-version.ts';
import { Form, PostForm } from '#server/admin/forms/Form.tsx';
import type { Mistakes, Typed } from '#server/admin/forms/field.ts';
import { defineForm, parseForm, sentText } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ADMIN, CATEGORIES as PATH } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Button, ConflictNotice, LinkButton, MERGED, Row, Table } from '#server/admin/views/pieces.tsx';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import { Refusal } from '#server/http/refusal.ts';
import { PICTURE_TYPES } from '#server/pictures/stored-pictures.ts';
import { lockCatalogue } from '#server/services/catalogue-version.ts';
import type { Services } from '#server/services/services.ts';
import { PICTURE_FORM_MOST, picture, storePicture } from '#server/store/picture.tsx';
import { type Category, categories, categoryName, saveCategories } from './stored-categories.ts';

const EDIT = `${PATH}/edit`;

const noSuchCategory = (): Refusal =>
  new Refusal(404, 'There is no such category. It may have been removed or renamed.');

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
      {image !== '' && picture(image, '')}
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

const categoryForm = defineForm(
  v.object({ name: categoryName, picture: v.optional(v.file()), hasNoPicture: v.boolean() }),
  {
    name: { label: 'Name', hint: 'The products of this category follow a new name.', control: 'text' },
    picture: {
      label: 'New picture',
      hint: 'JPEG, PNG, WebP or AVIF, at most 15 MB.',
      control: 'file',
      accept: PICTURE_TYPES,
      isOptional: true,
    },
    hasNoPicture: { label: 'Show no picture', control: 'checkbox' },
  },
);

interface CategoryView {
  /** The stored name; undefined for a new category. */
  readonly storedName: string | undefined;
  /** The form version (`form-version.ts`). */
  readonly version: string;
  readonly typed: Typed;
  /** The file name of the picture, '' for none. */
  readonly image: string;
  readonly notice?: ReactNode;
  readonly mistakes?: Mistakes;
  readonly status?: 409 | 422;
}

const partsOf = ({ name, image }: Category) => ({ Name: name, Picture: image });

function show(
  context: AdminContext,
  { storedName, version, typed, image, notice = '', mistakes, status }: CategoryView,
) {
  const hidden = { version, ...(storedName === undefined ? {} : { storedName }) };
  const form = (
    <Form
      fields={categoryForm.fields}
      action={EDIT}
      submit="Save"
      typed={typed}
      mistakes={mistakes}
      hidden={{ image, ...hidden }}
      more={
        <LinkButton look="quiet" href={PATH}>
          Back
        </LinkButton>
      }
    />
  );
  const remove = storedName !== undefined && (
    <>
      <h2>Remove</h2>
      <p>The menu no longer shows it. Its products stay on sale, and can be found by search.</p>
      <details>
        <summary>Remove {storedName}</summary>
        <PostForm action={`${PATH}/remove`} hidden={hidden}>
          <Button look="danger">Yes, remove {storedName}</Button>
        </PostForm>
      </details>
    </>
  );
  return showPage(context, {
    title: storedName ?? 'New category',
    content: (
      <>
        {notice}
        {image !== '' && <p>The picture now: {picture(image, 'The picture of this category')}</p>}
        {form}
        {remove}
      </>
    ),
    status,
  });
}

const NEW = { storedName: undefined, version: '' };

const fresh = (now: Category) => ({
  storedName: now.name,
  version: formVersionOf(partsOf(now)),
  typed: { name: now.name },
  image: now.image,
});

async function showEdit(context: AdminContext, services: Services) {
  const found = (await categories(services.db)).find(({ name }) => name === context.req.query('name'));
  if (!found) throw noSuchCategory();
  return show(context, fresh(found));
}

/** The name of the category when the form was rendered; undefined for a new one. */
const nameInForm = (form: FormData): string | undefined =>
  form.has('storedName') ? sentText(form, 'storedName') : undefined;

/** Shows an edit conflict with a renamed or removed category. The typed values can be saved as a new one. */
function showRemoved(context: AdminContext, storedName: string, { name, image }: Category) {
  const notice = (
    <ConflictNotice
      conflicts={[{ label: 'Category', yours: name, now: `There is no ${storedName} any more` }]}
      again="It was renamed or removed. The form has your values: if you save it again, they become a new category."
    />
  );
  return show(context, { ...NEW, typed: { name }, image, notice, status: 409 });
}

async function save(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const parsed = parseForm(categoryForm, form);
  const storedName = nameInForm(form);
  const upload = await storePicture(services, form.get('picture'));
  const currentImage = parsed.typed.hasNoPicture === true ? '' : sentText(form, 'image');
  const image = upload.status === 'stored' ? upload.name : currentImage;
  const mistakes = new Map(parsed.isValid ? [] : parsed.mistakes);
  if (upload.status === 'refused') mistakes.set('picture', upload.reason);
  const again = {
    storedName,
    version: formVersionIn(form),
    typed: { ...parsed.typed, hasNoPicture: false },
    image,
  };
  const refuse = (found: Mistakes) => show(context, { ...again, mistakes: found, status: 422 });
  if (!parsed.isValid || mistakes.size > 0) return refuse(mistakes);
  const typed = { name: parsed.values.name, image };

  const showConflict = ({ merged, conflicts }: Comparison, now: Category) =>
    show(context, {
      ...fresh(now),
      typed: { name: merged.Name ?? '' },
      image: merged.Picture ?? '',
      notice: <ConflictNotice conflicts={conflicts} again={MERGED} />,
      status: 409,
    });

  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    const list = await categories(transaction);
    const before = list.find(({ name }) => name === storedName);
    if (storedName !== undefined) {
      if (!before) throw new ChangeAborted(() => showRemoved(context, storedName, typed));
      requireFormVersion(form, partsOf(before), partsOf(typed), (comparison) =>
        showConflict(comparison, before),
      );
    }
    if (isDeepStrictEqual(before, typed)) return { to: PATH, message: 'Nothing was different.' };
    const edited = before
      ? list.map((category) => (category === before ? typed : category))
      : [...list, typed];
    const renamed = before && { from: before.name, to: typed.name };
    const problem = await saveCategories(transaction, edited, renamed);
    if (problem !== undefined) throw new ChangeAborted(() => refuse(new Map([['name', `Name ${problem}`]])));
    await log({
      action: before ? 'changed' : 'added',
      target: ['category', typed.name],
      ...(before ? { from: { ...before } } : {}),
      to: typed,
    });
    return { to: PATH, message: `${typed.name} was saved. Publish to show it to shoppers.` };
  });
}

async function remove(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const storedName = nameInForm(form);
  return change(context, services, async (transaction, log): Promise<Done> => {
    await lockCatalogue(transaction);
    const list = await categories(transaction);
    const before = list.find(({ name }) => name === storedName);
    if (!before) throw noSuchCategory();
    requireFormVersion(form, partsOf(before), {}, () => {
      const notice = (
        <ConflictNotice
          conflicts={[]}
          again="Below is what it is now. Remove it again if it is still right."
        />
      );
      return show(context, { ...fresh(before), notice, status: 409 });
    });
    const problem = await saveCategories(
      transaction,
      list.filter((category) => category !== before),
    );
    if (problem !== undefined) throw new Refusal(409, `The list of categories ${problem}.`);
    await log({ action: 'removed', target: ['category', before.name], from: { ...before } });
    return { to: PATH, message: `${before.name} was removed. Publish to remove it from the shop.` };
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
    handle: (context) => show(context, { ...NEW, typed: {}, image: '' }),
  },
  { method: 'GET', path: '/store/categories/edit', access, handle: showEdit },
  { method: 'POST', path: '/store/categories/edit', access, handle: save, formMost: PICTURE_FORM_MOST },
];
