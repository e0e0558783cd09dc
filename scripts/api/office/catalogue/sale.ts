import { bringBack, takeOutOfSale } from '#scripts/api/catalogue/edit-products.ts';
import { storedProduct } from '#scripts/api/catalogue/stored-products.ts';
import { change, NotDone, versionOf } from '#scripts/api/office/change.ts';
import type { OfficeContext } from '#scripts/api/office/page.ts';
import { conflictNotice } from '#scripts/api/office/views/pieces.ts';
import type { Shop } from '#scripts/api/shop.ts';
import { productPath } from './paths.ts';
import { fresh, idOf, noProduct, showProduct } from './show-product.ts';
import { storedMistakes } from './submitted.ts';

/** Takes a product out of sale, or brings it back. */
export async function setSale(context: OfficeContext, shop: Shop): Promise<Response> {
  const id = idOf(context);
  const form = context.get('form');
  const [isBack, version] = [form.get('do') === 'back', versionOf(context)];
  const word = (isOnSale: boolean): string => (isOnSale ? 'On sale' : 'Out of sale');
  return change(context, shop, async (transaction, log) => {
    const edit = await (isBack ? bringBack : takeOutOfSale)(transaction, { id, version });
    if (edit.status === 'missing') throw noProduct();
    if (edit.status === 'stale') {
      const conflicts = [{ label: 'Sale', yours: word(isBack), now: word(edit.stored.isOnSale) }];
      const notice = conflictNotice(
        conflicts,
        'Look at the product below, and press the button again if it is still right.',
      );
      throw new NotDone(() =>
        showProduct(context, shop, edit.stored, { ...fresh(edit.stored), notice, status: 409 }),
      );
    }
    if (edit.status === 'refused') {
      const stored = await storedProduct(transaction, id);
      if (!stored) throw noProduct();
      const mistakes = storedMistakes(edit.errors);
      throw new NotDone(() =>
        showProduct(context, shop, stored, { ...fresh(stored), mistakes, status: 422 }),
      );
    }
    const { title } = edit.after.product;
    if (edit.after.version !== edit.before.version) {
      await log({
        action: isBack ? 'brought back' : 'took out of sale',
        target: ['product', id],
        from: { isOnSale: edit.before.isOnSale },
        to: { isOnSale: edit.after.isOnSale },
      });
    }
    return {
      to: productPath(id),
      message: isBack
        ? `${title} is now on sale. Publish to show it in the shop.`
        : `${title} is now out of sale. Publish to take it out of the shop.`,
    };
  });
}
