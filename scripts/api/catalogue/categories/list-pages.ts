import { html } from 'hono/html';
import { storedProducts } from '#scripts/api/catalogue/stored-products.ts';
import type { Transaction } from '#scripts/api/db/database.ts';
import { change, type Done, type RecordChange } from '#scripts/api/office/change.ts';
import { hiddenInputs } from '#scripts/api/office/forms/draw.ts';
import { sentText } from '#scripts/api/office/forms/parse.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import { OFFICE, CATEGORIES as PATH } from '#scripts/api/office/paths.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { table } from '#scripts/api/office/views/pieces.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { picture } from '#scripts/api/store/picture.ts';
import { asListed, noSuchCategory, refuseAsPage, saveList } from './category-list.ts';
import { type Category, categories } from './edit-categories.ts';

const editPath = (name: string): string => `${PATH}/edit?${new URLSearchParams({ name })}`;

async function showList(context: OfficeContext, shop: Shop) {
  const list = await categories(shop.db);
  const counts = new Map<string, number>();
  for (const { product, isOnSale } of await storedProducts(shop.db)) {
    const name = product.category.toLowerCase();
    if (isOnSale) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const button = (to: 'up' | 'down', name: string, text: string) =>
    html`<button class="quiet" name="${to}" value="${name}" aria-label="Move ${name} ${to}">${text}</button>`;
  const rows = list.map(({ name, image }, index) => [
    html`<div class="row">${image === '' ? '' : picture(image, '')}<a href="${editPath(name)}">${name}</a></div>`,
    String(counts.get(name.toLowerCase()) ?? 0),
    html`<div class="row">${index === 0 ? '' : button('up', name, '↑')}${index === list.length - 1 ? '' : button('down', name, '↓')}</div>`,
  ]);
  return showPage(context, {
    title: 'Categories',
    content: html`<p class="row"><a class="button" href="${PATH}/new">New category</a><a class="button quiet" href="${OFFICE}/store">Store</a></p>
<p>The first three are in the menu and on the home page.</p>
<form method="post" action="${PATH}/move">${hiddenInputs(shop)}
${table('In the order of the shop', ['Category', 'Products on sale', 'Order'], rows)}</form>`,
  });
}

/** Moves a category by one place from where it is now, so the form needs no version. */
async function move(context: OfficeContext, shop: Shop): Promise<Response> {
  const form = context.get('form');
  const step = form.has('up') ? -1 : 1;
  const name = sentText(form, step < 0 ? 'up' : 'down');
  return change(context, shop, (transaction, log) => moveBy(transaction, log, name, step));
}

async function moveBy(
  transaction: Transaction,
  log: RecordChange,
  name: string,
  step: -1 | 1,
): Promise<Done> {
  let from = 0;
  let to = 0;
  const make = (list: readonly Category[]) => {
    from = list.findIndex((category) => category.name === name);
    if (from < 0) throw noSuchCategory();
    to = Math.max(0, Math.min(list.length - 1, from + step));
    const others = asListed(list).filter((category) => category.name !== name);
    return others.toSpliced(to, 0, ...asListed(list.slice(from, from + 1)));
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

const access = 'store';

export const CATEGORY_LIST_PAGES: readonly OfficePage[] = [
  { method: 'GET', path: '/store/categories', access, handle: showList },
  { method: 'POST', path: '/store/categories/move', access, handle: move },
];
