import type { ReactNode } from 'react';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { differences } from '#server/admin/change-log.ts';
import { type Comparison, formVersionIn, requireFormVersion } from '#server/admin/form-version.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { productPath } from '#server/admin/paths.ts';
import { type Conflict, ConflictNotice, MERGED } from '#server/admin/views/pieces.tsx';
import { freeId, type StoredProduct, storedProduct } from '#server/catalogue/stored-products.ts';
import type { Transaction } from '#server/db/database.ts';
import { lockCatalogue } from '#server/services/catalogue-version.ts';
import type { Services } from '#server/services/services.ts';
import { picture } from '#server/store/picture.tsx';
import { removePictures } from '#server/store/stored-store.ts';
import { draftOf, draftParts, EMPTY_DRAFT, mergedDraft, partLabel, toInput } from './draft.ts';
import { createProduct, discontinueProduct, saveProduct } from './edit-products.ts';
import { readSubmitted, type Submitted, storedMistakes } from './read-submitted.ts';
import { fresh, idOf, noProduct, showNew, shownAgain, showProduct } from './show-product.tsx';

/** Discontinues a product, or brings it back. It changes nothing else, so the form needs no version. */
export async function setDiscontinued(context: AdminContext, services: Services): Promise<Response> {
  const id = idOf(context);
  const isDiscontinued = context.get('form').get('do') !== 'bring-back';
  return change(context, services, async (transaction, log) => {
    const edit = await discontinueProduct(transaction, id, isDiscontinued);
    if (edit.status === 'missing') throw noProduct();
    if (edit.status === 'refused') {
      const stored = await storedProduct(transaction, id);
      if (!stored) throw noProduct();
      const mistakes = storedMistakes(edit.errors);
      throw new ChangeAborted(() =>
        showProduct(context, services, stored, { ...fresh(stored), mistakes, status: 422 }),
      );
    }
    const { title } = edit.after.product;
    if (edit.after.version !== edit.before.version) {
      await log({
        action: isDiscontinued ? 'discontinued' : 'brought back',
        target: ['product', id],
        from: { isDiscontinued: edit.before.isDiscontinued },
        to: { isDiscontinued: edit.after.isDiscontinued },
      });
    }
    return {
      to: productPath(id),
      message: isDiscontinued
        ? `${title} is discontinued. Publish to remove it from the shop.`
        : `${title} is sold again. Publish to show it in the shop.`,
    };
  });
}

/** In bytes, with pictures. */
const FORM_MOST = 32 * 1_024 * 1_024;

async function productOf(context: AdminContext, services: Services): Promise<StoredProduct> {
  const stored = await storedProduct(services.db, idOf(context));
  if (!stored) throw noProduct();
  return stored;
}

async function beginNew(context: AdminContext, services: Services) {
  const from = context.req.query('copy');
  if (from === undefined) return showNew(context, services, { draft: EMPTY_DRAFT });
  const stored = await storedProduct(services.db, from);
  if (!stored) throw noProduct();
  const draft = draftOf(stored.product);
  const title = `${stored.product.title.slice(0, 190)} (copy)`;
  return showNew(context, services, { draft: { ...draft, typed: { ...draft.typed, title } } });
}

/** Deletes uploaded pictures that were removed from the form again. */
async function removeDropped(transaction: Transaction, { uploaded, draft }: Submitted): Promise<void> {
  await removePictures(
    transaction,
    uploaded.filter((name) => !draft.pictures.includes(name)),
  );
}

/** Renders an edit conflict. Pictures are shown, because their names mean nothing to editors. */
const conflictOf = ({ label, yours, now }: Conflict): Conflict<ReactNode> => {
  const shown = (text: string): ReactNode =>
    label === 'pictures' ? text.split('\n').map((name) => picture(name, name)) : text;
  return { label: partLabel(label), yours: shown(yours), now: shown(now) };
};

async function save(context: AdminContext, services: Services): Promise<Response> {
  const stored = await productOf(context, services);
  const { product } = stored;
  const { id } = product;
  const sent = context.get('form');
  const submitted = await readSubmitted(services, sent, product);
  const { draft, values, uploaded } = submitted;
  const version = formVersionIn(sent);
  const again = await shownAgain(services, submitted, product, product);
  if (again) return showProduct(context, services, stored, { version, ...again });
  if (!values) throw new Error('A valid product has no values.');

  const showConflict = ({ changed, conflicts }: Comparison, now: StoredProduct) =>
    showProduct(context, services, now, {
      ...fresh(now),
      draft: mergedDraft(draftOf(now.product), draft, changed.byYou),
      uploaded,
      notice: <ConflictNotice conflicts={conflicts.map(conflictOf)} again={MERGED} />,
      status: 409,
    });

  return change(context, services, async (transaction, log) => {
    await lockCatalogue(transaction);
    const now = await storedProduct(transaction, id);
    if (!now) throw noProduct();
    requireFormVersion(sent, draftParts(draftOf(now.product)), draftParts(draft), (found) =>
      showConflict(found, now),
    );
    const edit = await saveProduct(transaction, id, toInput(draft, values, product));
    if (edit.status === 'missing') throw noProduct();
    if (edit.status === 'refused') {
      const mistakes = storedMistakes(edit.errors);
      throw new ChangeAborted(() =>
        showProduct(context, services, stored, { version, draft, uploaded, mistakes, status: 422 }),
      );
    }
    await removeDropped(transaction, submitted);
    const { title } = edit.after.product;
    if (edit.after.version === edit.before.version)
      return { to: productPath(id), message: `${title} is unchanged.` };
    await log({
      action: 'changed',
      target: ['product', id],
      ...differences(edit.before.product, edit.after.product),
    });
    return { to: productPath(id), message: `${title} was saved. Publish it to show it in the shop.` };
  });
}

async function add(context: AdminContext, services: Services): Promise<Response> {
  const submitted = await readSubmitted(services, context.get('form'));
  const { draft, values, uploaded } = submitted;
  const typedId = String(draft.typed.id ?? '');
  const createdAt = new Date(services.clock()).toISOString();
  const id = typedId || (await freeId(services.db, String(draft.typed.title ?? '')));
  const again = await shownAgain(services, submitted, { id, createdAt });
  if (again) return showNew(context, services, again);
  if (!values) throw new Error('A valid product has no values.');
  return change(context, services, async (transaction, log) => {
    const created = await createProduct(transaction, { id: typedId, ...toInput(draft, values) }, createdAt);
    if (created.status === 'refused') {
      const mistakes = storedMistakes(created.errors);
      throw new ChangeAborted(() => showNew(context, services, { draft, uploaded, mistakes, status: 422 }));
    }
    await removeDropped(transaction, submitted);
    const { product } = created.after;
    const { id: newId, ...fields } = product;
    await log({ action: 'added', target: ['product', newId], to: fields });
    return {
      to: productPath(newId),
      message: `${product.title} was added. Publish it to show it in the shop.`,
    };
  });
}

const access = 'catalogue';

export const PRODUCT_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/catalogue/new', access: 'catalogue.write', handle: beginNew },
  { method: 'POST', path: '/catalogue/new', access, formMost: FORM_MOST, handle: add },
  {
    method: 'GET',
    path: '/catalogue/products/:id',
    access,
    async handle(context, services) {
      const stored = await productOf(context, services);
      return showProduct(context, services, stored, fresh(stored));
    },
  },
  { method: 'POST', path: '/catalogue/products/:id', access, formMost: FORM_MOST, handle: save },
  { method: 'POST', path: '/catalogue/products/:id/discontinued', access, handle: setDiscontinued },
];
