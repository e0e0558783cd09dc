import type { Transaction } from '#scripts/api/db/database.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { NotDone } from '#scripts/api/office/change.ts';
import { type Category, categories, saveCategories } from './edit-categories.ts';

export const gone = (): Refusal =>
  new Refusal(404, 'There is no such category. Perhaps somebody removed or renamed it.');

export type ListChange =
  | { readonly list: readonly (Category & { readonly was?: string })[] }
  /** Shown instead, because the category is no longer as the editor saw it. */
  | { readonly answer: () => Response | Promise<Response> };

/**
 * Changes the list as it is now, whatever others have done to other categories. `make` compares the one category with what
 * the editor saw.
 */
export async function saveList(
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

export const asListed = (list: readonly Category[]) =>
  list.map((category) => ({ ...category, was: category.name }));

/** Answers a change of the list that was refused, where no form can be shown again. */
export const refuseAsPage = (text: string): never => {
  throw new Refusal(409, `The list of categories ${text}.`);
};
