import { createHash } from 'node:crypto';
import type { WireProduct } from '#scripts/api/catalogue/schema.ts';
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

const HASH_LENGTH = 8;

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);

/** What a page shows of each part, so short that the page's form can carry it. */
export function seenParts(product: WireProduct): string {
  const draft = draftOf(product);
  return PARTS.map((name) => hashOf(partText(draft, name))).join('.');
}

/** The parts that are not as `seen` says. */
export function changedParts(seen: string, product: WireProduct): ReadonlySet<PartName> {
  const before = seen.split('.');
  const now = seenParts(product).split('.');
  return new Set(PARTS.filter((_, index) => before[index] !== now[index]));
}
