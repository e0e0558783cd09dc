import type { Transaction } from '#scripts/api/db/database.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { NotDone } from '#scripts/api/office/change.ts';
import { lockCatalogue } from '#scripts/api/shop/catalogue-version.ts';
import { type Category, categories, saveCategories } from './edit-categories.ts';

export const noSuchCategory = (): Refusal =>
  new Refusal(404, 'There is no such category. Perhaps somebody removed or renamed it.');

/** A list to save, in which `was` is the name so far of a category that is not new. */
type NewList = readonly (Category & { readonly was?: string })[];

/**
 * Changes the list as it is now, whatever others have done to other categories. `make` may throw NotDone where its own
 * category is not as the editor saw it.
 */
export async function saveList(
  transaction: Transaction,
  make: (list: readonly Category[]) => NewList,
  refuse: (text: string) => Response | Promise<Response>,
): Promise<void> {
  await lockCatalogue(transaction);
  const edit = await saveCategories(transaction, make(await categories(transaction)));
  if (edit.status === 'refused') {
    const text = Object.values(edit.errors).join('. ');
    throw new NotDone(() => refuse(text));
  }
}

export const asListed = (list: readonly Category[]) =>
  list.map((category) => ({ ...category, was: category.name }));

/** Answers a change of the list that was refused, where no form can be shown again. */
export const refuseAsPage = (text: string): never => {
  throw new Refusal(409, `The list of categories ${text}.`);
};
