import { html } from 'hono/html';
import * as v from 'valibot';
import { type Category, categories, saveCategories } from '#scripts/api/catalogue/edit-store.ts';
import { storedProducts } from '#scripts/api/catalogue/stored-products.ts';
import type { Transaction } from '#scripts/api/db/database.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { PICTURE_TYPES } from '#scripts/api/office/catalogue/upload.ts';
import { change, type Done, type LogChange, NotDone } from '#scripts/api/office/change.ts';
import { drawForm, hiddenInputs } from '#scripts/api/office/forms/draw.ts';
import type { Mistakes, Typed } from '#scripts/api/office/forms/field.ts';
import { defineForm, parseForm, sentText } from '#scripts/api/office/forms/parse.ts';
import { OFFICE, type OfficeContext, type OfficePage } from '#scripts/api/office/page.ts';
import type { Content } from '#scripts/api/office/views/html.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { conflictNotice, table } from '#scripts/api/office/views/pieces.ts';
import { categoryName } from '#scripts/api/schema/store.ts';
import type { Shop } from '#scripts/api/shop.ts';
import { picture, takePicture } from './picture.ts';
import { PICTURE_FORM_MOST } from './record-form.ts';

const PATH = `${OFFICE}/store/categories`;
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

const editPath = (name: string): string => `${EDIT}?${new URLSearchParams({ name })}`;

async function showList(context: OfficeContext, shop: Shop) {
  const { value } = await categories(shop.db);
  const counts = new Map<string, number>();
  for (const { product, isOnSale } of await storedProducts(shop.db)) {
    const name = product.category.toLowerCase();
    if (isOnSale) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const button = (to: 'up' | 'down', name: string, text: string) =>
    html`<button class="quiet" name="${to}" value="${name}" aria-label="Move ${name} ${to}">${text}</button>`;
  const rows = value.map(({ name, image }, index) => [
    html`<div class="row">${image === '' ? '' : picture(image, '')}<a href="${editPath(name)}">${name}</a></div>`,
    String(counts.get(name.toLowerCase()) ?? 0),
    html`<div class="row">${index === 0 ? '' : button('up', name, '↑')}${index === value.length - 1 ? '' : button('down', name, '↓')}</div>`,
  ]);
  return showPage(context, {
    title: 'Categories',
    content: html`<p class="row"><a class="button" href="${PATH}/new">New category</a><a class="button quiet" href="${OFFICE}/store">Store</a></p>
<p>The first three are in the menu and on the home page.</p>
<form method="post" action="${PATH}/move">${hiddenInputs(shop)}
${table('In the order of the shop', ['Category', 'Products on sale', 'Order'], rows)}</form>`,
  });
}

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

const gone = (): Refusal =>
  new Refusal(404, 'There is no such category. Perhaps somebody removed or renamed it.');

async function showEdit(context: OfficeContext, shop: Shop) {
  const { value } = await categories(shop.db);
  const was = value.find(({ name }) => name === context.req.query('name'));
  if (!was) throw gone();
  return show(context, shop, { was, typed: { name: was.name }, image: was.image });
}

type ListChange =
  | { readonly list: readonly (Category & { readonly was?: string })[] }
  /** Shown instead, because the category is no longer as the editor saw it. */
  | { readonly answer: () => Response | Promise<Response> };

/**
 * Changes the list as it is now, whatever others have done to other categories. `make` compares the one category with what
 * the editor saw.
 */
async function saveList(
  transaction: Transaction,
  make: (list: readonly Category[]) => ListChange,
  refuse: (text: string) => Response | Promise<Response>,
): Promise<void> {
  const { value, version } = await categories(transaction);
  const made = make(value);
  if ('answer' in made) throw new NotDone(made.answer);
  const edit = await saveCategories(transaction, version, made.list);
  if (edit.status === 'refused') {
    const text = Object.values(edit.errors).join('. ');
    throw new NotDone(() => refuse(text));
  }
  if (edit.status !== 'saved') {
    throw new Refusal(
      409,
      'Somebody else has changed the categories at this moment. Nothing of yours was saved: please try again.',
    );
  }
}

const asListed = (list: readonly Category[]) => list.map((category) => ({ ...category, was: category.name }));

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
      if (!now) throw gone();
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

const refuseAsPage = (text: string): never => {
  throw new Refusal(409, `The list of categories ${text}.`);
};

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

/** Moves a category by one place from where it is now, so the form needs no version. */
async function move(context: OfficeContext, shop: Shop): Promise<Response> {
  const form = context.get('form');
  const step = form.has('up') ? -1 : 1;
  const name = sentText(form, step < 0 ? 'up' : 'down');
  return change(context, shop, (transaction, log) => moveBy(transaction, log, name, step));
}

async function moveBy(transaction: Transaction, log: LogChange, name: string, step: -1 | 1): Promise<Done> {
  let from = 0;
  let to = 0;
  const make = (list: readonly Category[]): ListChange => {
    from = list.findIndex((category) => category.name === name);
    if (from < 0) throw gone();
    to = Math.max(0, Math.min(list.length - 1, from + step));
    const others = asListed(list).filter((category) => category.name !== name);
    return { list: others.toSpliced(to, 0, ...asListed(list.slice(from, from + 1))) };
  };
  await saveList(transaction, make, refuseAsPage);
  if (from === to) return { to: PATH, message: `${name} stays at place ${to + 1}.` };
  await log({
    action: 'moved',
    target: ['category', name],
    from: { place: from + 1 },
    to: { place: to + 1 },
  });
  return { to: PATH, message: `${name} is now at place ${to + 1}.` };
}

const access = ['editor'] as const;

export const CATEGORY_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/store/categories', access, handle: showList },
  { method: 'POST', path: '/store/categories/move', access, handle: move },
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
