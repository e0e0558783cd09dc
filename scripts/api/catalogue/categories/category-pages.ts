import { html } from 'hono/html';
import * as v from 'valibot';
import { change, type Done } from '#scripts/api/office/change.ts';
import { drawForm, hiddenInputs } from '#scripts/api/office/forms/draw.ts';
import type { Mistakes, Typed } from '#scripts/api/office/forms/field.ts';
import { defineForm, parseForm, sentText } from '#scripts/api/office/forms/parse.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import { CATEGORIES as PATH } from '#scripts/api/office/paths.ts';
import type { Content } from '#scripts/api/office/views/html.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { conflictNotice } from '#scripts/api/office/views/pieces.ts';
import { PICTURE_TYPES } from '#scripts/api/pictures/upload.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { PICTURE_FORM_MOST, picture, takePicture } from '#scripts/api/store/picture.ts';
import { asListed, gone, type ListChange, refuseAsPage, saveList } from './category-list.ts';
import { type Category, categories, categoryName } from './edit-categories.ts';

const EDIT = `${PATH}/edit`;

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
  /** undefined for a new category */
  readonly was: Category | undefined;
  readonly typed: Typed;
  /** The file name of its picture. */
  readonly image: string;
  readonly notice?: Content;
  readonly mistakes?: Mistakes;
  readonly status?: 409 | 422;
}

function show(
  context: OfficeContext,
  shop: Shop,
  { was, typed, image, notice = '', mistakes, status }: CategoryView,
) {
  const form = drawForm(shop, {
    fields: categoryForm.fields,
    action: EDIT,
    submit: 'Save',
    typed,
    ...(mistakes ? { mistakes } : {}),
    hidden: { image, ...(was ? { was: was.name, wasImage: was.image } : {}) },
    more: html`<a class="button quiet" href="${PATH}">Back</a>`,
  });
  const remove = was
    ? html`<h2>Remove</h2><p>The menu no longer shows it. Its products stay on sale, and can be found by search.</p>
<details><summary>Remove ${was.name}</summary><form method="post" action="${PATH}/remove">${hiddenInputs(shop, { was: was.name, wasImage: was.image })}
<button class="danger">Yes, remove ${was.name}</button></form></details>`
    : '';
  return showPage(context, {
    title: was ? was.name : 'New category',
    content: html`${notice}${image === '' ? '' : html`<p>The picture now: ${picture(image, 'The picture of this category')}</p>`}${form}${remove}`,
    ...(status ? { status, hasErrors: true } : {}),
  });
}

async function showEdit(context: OfficeContext, shop: Shop) {
  const { value } = await categories(shop.db);
  const was = value.find(({ name }) => name === context.req.query('name'));
  if (!was) throw gone();
  return show(context, shop, { was, typed: { name: was.name }, image: was.image });
}

/** What the editor's page showed. */
function seenCategory(form: FormData): Category | undefined {
  return form.has('was') ? { name: sentText(form, 'was'), image: sentText(form, 'wasImage') } : undefined;
}

/** What the editor of an old page wanted, beside what somebody else has saved. */
interface Stale {
  readonly typed: Typed;
  readonly image: string;
  readonly was: Category;
  readonly now: Category;
}

function showConflict(context: OfficeContext, shop: Shop, { typed, image, was, now }: Stale) {
  const both = [
    { label: 'Name', yours: String(typed.name ?? ''), now: now.name },
    { label: 'Picture', yours: image || 'none', now: now.image || 'none' },
  ];
  const conflicts = both.filter(({ yours, now: stored }) => yours !== stored);
  const notice = conflictNotice(
    conflicts,
    'The form has your values where you changed something, and the others’ everywhere else. Save it again if it is right.',
  );
  const shownImage = image === was.image ? now.image : image;
  return show(context, shop, { was: now, typed, image: shownImage, notice, status: 409 });
}

/** The category was renamed or removed meanwhile. What was typed can be saved as a new one. */
function showGone(context: OfficeContext, shop: Shop, { typed, image, was }: Omit<Stale, 'now'>) {
  const notice = conflictNotice(
    [{ label: 'Category', yours: String(typed.name ?? ''), now: `There is no ${was.name} any more` }],
    'Somebody has renamed or removed it. The form has your values: saved again, they are a new category.',
  );
  return show(context, shop, { was: undefined, typed, image, notice, status: 409 });
}

async function save(context: OfficeContext, shop: Shop): Promise<Response> {
  const form = context.get('form');
  const parsed = parseForm(categoryForm, form);
  const was = seenCategory(form);
  const upload = await takePicture(shop, form.get('picture'));
  const kept = parsed.typed.hasNoPicture === true ? '' : sentText(form, 'image');
  const image = upload.status === 'stored' ? upload.name : kept;
  const mistakes = new Map(parsed.isGood ? [] : parsed.mistakes);
  if (upload.status === 'refused') mistakes.set('picture', upload.reason);
  const typed = { ...parsed.typed, hasNoPicture: false };
  const refuse = (found: Mistakes) =>
    show(context, shop, { was, typed, image, mistakes: found, status: 422 });
  if (!parsed.isGood || mistakes.size > 0) return refuse(mistakes);

  const { name } = parsed.values;
  const isSame = was?.name === name && was.image === image;
  return change(context, shop, async (transaction, log) => {
    const make = (list: readonly Category[]): ListChange => {
      if (!was) return { list: [...asListed(list), { name, image }] };
      const now = list.find((category) => category.name === was.name);
      if (!now) return { answer: () => showGone(context, shop, { typed, image, was }) };
      if (now.image !== was.image)
        return { answer: () => showConflict(context, shop, { typed, image, was, now }) };
      return {
        list: asListed(list).map((category) =>
          category.was === was.name ? { name, image, was: was.name } : category,
        ),
      };
    };
    await saveList(transaction, make, (text) => refuse(new Map([['name', `Name ${text}`]])));
    if (isSame) return { to: PATH, message: 'Nothing was different.' };
    await log({
      action: was ? 'changed' : 'added',
      target: ['category', name],
      ...(was ? { from: { ...was } } : {}),
      to: { name, image },
    });
    return { to: PATH, message: `${name} was saved. Publish to show it to shoppers.` };
  });
}

async function remove(context: OfficeContext, shop: Shop): Promise<Response> {
  const was = seenCategory(context.get('form'));
  return change(context, shop, async (transaction, log): Promise<Done> => {
    const make = (list: readonly Category[]): ListChange => {
      const now = list.find(({ name }) => name === was?.name);
      if (!was || !now) throw gone();
      if (now.image !== was.image) {
        const stale = { typed: { name: now.name }, image: was.image, was, now };
        return { answer: () => showConflict(context, shop, stale) };
      }
      return { list: asListed(list).filter(({ name }) => name !== now.name) };
    };
    await saveList(transaction, make, refuseAsPage);
    await log({ action: 'removed', target: ['category', was?.name ?? ''], from: { ...was } });
    return { to: PATH, message: `${was?.name} was removed. Publish to take it out of the shop.` };
  });
}

const access = 'store';

export const CATEGORY_PAGES: readonly OfficePage[] = [
  { method: 'POST', path: '/store/categories/remove', access, handle: remove },
  {
    method: 'GET',
    path: '/store/categories/new',
    access,
    handle: (context, shop) => show(context, shop, { was: undefined, typed: {}, image: '' }),
  },
  { method: 'GET', path: '/store/categories/edit', access, handle: showEdit },
  { method: 'POST', path: '/store/categories/edit', access, handle: save, formMost: PICTURE_FORM_MOST },
];
