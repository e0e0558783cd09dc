import { checkProduct } from '#scripts/api/catalogue/edit-products.ts';
import type { WireProduct } from '#scripts/api/schema/product.ts';
import type { Shop } from '#scripts/api/shop.ts';
import { toInput } from './draft.ts';
import { drawPreview } from './preview.ts';
import type { State } from './show-product.ts';
import { type Submitted, storedMistakes } from './submitted.ts';

/** The buttons that save the product. */
const SAVING: ReadonlySet<string> = new Set(['save', 'choose', 'keep-yours']);

type Shown = Pick<State, 'draft' | 'mistakes' | 'uploaded' | 'newRow' | 'preview' | 'status'>;

async function previewed(
  shop: Shop,
  { draft, uploaded, values }: Submitted,
  { id, createdAt }: Pick<WireProduct, 'id' | 'createdAt'>,
  before?: WireProduct,
): Promise<Shown> {
  if (!values) return { draft, uploaded };
  const checked = await checkProduct(shop.db, { id, createdAt, ...toInput(draft, values, before) });
  return checked.status === 'valid'
    ? { draft, uploaded, preview: drawPreview(checked.value, shop.apiOrigin) }
    : { draft, uploaded, mistakes: storedMistakes(checked.errors), status: 422 };
}

/** The form after a button such as 'Add an attribute'. It tells refused files at once, and other mistakes when it is saved. */
function continued({ action, draft, uploaded, refusals }: Submitted): Shown {
  return {
    draft,
    uploaded,
    ...(action === 'add-row' ? { newRow: draft.rows.length - 1 } : {}),
    ...(refusals.length > 0 ? { mistakes: new Map([['files', refusals.join(' ')]]), status: 422 } : {}),
  };
}

/** The form again; undefined where there is something to save. */
export async function shownAgain(
  shop: Shop,
  submitted: Submitted,
  product: Pick<WireProduct, 'id' | 'createdAt'>,
  before?: WireProduct,
): Promise<Shown | undefined> {
  const { action, draft, mistakes, uploaded } = submitted;
  const isSaving = SAVING.has(action);
  if (!isSaving && action !== 'preview') return continued(submitted);
  if (mistakes.size > 0) return { draft, mistakes, uploaded, status: 422 };
  return isSaving ? undefined : previewed(shop, submitted, product, before);
}
