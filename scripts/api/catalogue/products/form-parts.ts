import type { CatalogueProduct } from '#scripts/api/catalogue/schema.ts';
import type { Parts } from '#scripts/api/office/seen.ts';
import { type Draft, draftOf } from './draft.ts';
import { isProductField, PRODUCT_FIELD_NAMES, PRODUCT_FIELDS } from './product-form.ts';

/** The parts of a product of which an editor chooses one value or the other. */
export const PARTS = [...PRODUCT_FIELD_NAMES, 'pictures', 'attributes'] as const;

export type PartName = (typeof PARTS)[number];

export const partLabel = (name: PartName): string =>
  isProductField(name)
    ? PRODUCT_FIELDS[name].field.label
    : name === 'pictures'
      ? 'Pictures'
      : 'Other attributes';

/** A part as text, for people and for comparisons. Pictures are their names, one a line. */
export function partText({ typed, rows, pictures }: Draft, name: PartName): string {
  if (name === 'pictures') return pictures.join('\n');
  if (name === 'attributes') {
    return rows
      .map(({ key, values, unit }) => `${key}: ${values.split('\n').join(', ')} ${unit}`.trim())
      .join('\n');
  }
  const value = typed[name];
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value ?? '').trim();
}

/** Takes these parts from another draft. */
export function withParts(draft: Draft, other: Draft, names: readonly PartName[]): Draft {
  const fields = names.filter(isProductField).map((name) => [name, other.typed[name] ?? ''] as const);
  return {
    typed: { ...draft.typed, ...Object.fromEntries(fields) },
    rows: names.includes('attributes') ? other.rows : draft.rows,
    pictures: names.includes('pictures') ? other.pictures : draft.pictures,
  };
}

/** A draft by its parts, for `seen.ts`. */
export const draftParts = (draft: Draft): Parts =>
  Object.fromEntries(PARTS.map((name) => [name, partText(draft, name)]));

export const productParts = (product: CatalogueProduct): Parts => draftParts(draftOf(product));
