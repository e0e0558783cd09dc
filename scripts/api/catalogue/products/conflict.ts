import { html } from 'hono/html';
import type { CatalogueProduct } from '#scripts/api/catalogue/schema.ts';
import type { StoredProduct } from '#scripts/api/catalogue/stored-products.ts';
import { hiddenInputs } from '#scripts/api/office/forms/draw.ts';
import { parseForm } from '#scripts/api/office/forms/parse.ts';
import { productPath, thumbnailPath } from '#scripts/api/office/paths.ts';
import { type Comparison, compare, type Parts, showing } from '#scripts/api/office/seen.ts';
import type { Content, Html } from '#scripts/api/office/views/html.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { type Draft, draftOf, readDraft } from './draft.ts';
import { isProductField, PRODUCT_FIELD_NAMES, PRODUCT_FIELDS, productForm } from './product-form.ts';

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

export interface ConflictView {
  readonly draft: Draft;
  /** The product that the draft would have become. */
  readonly yours: CatalogueProduct;
  /** What the editor's page first showed, by `seenOf`. */
  readonly opened: string;
  readonly stored: StoredProduct;
  readonly uploaded: readonly string[];
  /** Whether a choice was missing. */
  readonly isIncomplete: boolean;
}

type Choice = 'yours' | 'now';

const choiceName = (name: PartName): string => `take-${name}`;

/** The parts of which the form takes the stored value; undefined where nothing, or not everything, was chosen. */
export function readChoices(form: FormData): readonly PartName[] | undefined {
  if (form.get('do') === 'keep-yours') return [];
  if (form.get('do') !== 'choose') return undefined;
  const offered = PARTS.filter((name) => form.has(`offered-${name}`));
  const choices = offered.map((name) => form.get(choiceName(name)));
  if (choices.some((choice) => choice !== 'yours' && choice !== 'now')) return undefined;
  return offered.filter((_, index) => choices[index] === 'now');
}

/** The form with the stored values of these parts in place of its own. */
export function takeStored(form: FormData, stored: CatalogueProduct, names: readonly PartName[]): FormData {
  const sent = readDraft(form, parseForm(productForm, form).typed);
  const rest = new FormData();
  for (const name of ['do', 'uploaded']) {
    for (const value of form.getAll(name)) rest.append(name, value);
  }
  for (const [name, value] of draftEntries(withParts(sent, draftOf(stored), names))) rest.append(name, value);
  return rest;
}

function shownPart(draft: Draft, name: PartName): Content {
  if (name === 'pictures') {
    return draft.pictures.map(
      (picture) => html`<img src="${thumbnailPath(picture)}" alt="${picture}" width="64" height="64">`,
    );
  }
  const text = partText(draft, name);
  return text === '' ? html`<em>nothing</em>` : html`<span class="text">${text}</span>`;
}

/** A part that only one editor changed is chosen beforehand. Where both changed it, the editor must choose. */
function usualChoice(name: PartName, { byYou, byOthers }: Comparison['changed']): Choice | undefined {
  if (!byYou.has(name)) return 'now';
  return byOthers.has(name) ? undefined : 'yours';
}

function drawPart(name: PartName, view: ConflictView, usual: Choice | undefined, isFirst: boolean): Html {
  const radio = (choice: Choice, label: string, draft: Draft, autofocus: Content): Html => {
    const id = `${choiceName(name)}-${choice}`;
    return html`<div class="choice"><input type="radio" id="${id}" name="${choiceName(name)}" value="${choice}"${usual === choice ? html` checked` : ''}${autofocus}>
<label for="${id}"><span class="hint">${label}</span> ${shownPart(draft, name)}</label></div>`;
  };
  const note =
    usual === undefined
      ? 'Both of you changed this: choose one.'
      : usual === 'now'
        ? 'Only somebody else changed this.'
        : 'Only you changed this.';
  return html`<fieldset class="group"><legend>${partLabel(name)}</legend><p class="hint">${note}</p>
<input type="hidden" name="offered-${name}" value="1">
<div class="sides">${radio('yours', 'Your value', draftOf(view.yours), view.isIncomplete && isFirst ? html` autofocus` : '')}${radio('now', 'The value now', draftOf(view.stored.product), '')}</div></fieldset>`;
}

/** A draft as the values of a form, which `readDraft` reads. */
const draftEntries = ({ typed, rows, pictures }: Draft): (readonly [name: string, value: string])[] => [
  ...Object.entries(typed).flatMap(([name, value]) =>
    value === false ? [] : [[name, value === true ? 'on' : String(value)] as const],
  ),
  ...rows.flatMap(
    ({ id, key, values, unit }, index) =>
      [
        [`attribute-${index}`, id],
        [`key-${index}`, key],
        [`values-${index}`, values],
        [`unit-${index}`, unit],
      ] as const,
  ),
  ...pictures.map((picture) => ['picture', picture] as const),
];

/** Both values of each part that differs, to choose from. */
export function drawConflict(shop: Shop, view: ConflictView): Html {
  const { draft, yours, opened, stored, uploaded, isIncomplete } = view;
  const [mine, now] = [productParts(yours), productParts(stored.product)];
  const differing = PARTS.filter((name) => mine[name] !== now[name]);
  const { changed } = compare(opened, now, mine);
  const action = productPath(stored.product.id);
  const text = isIncomplete
    ? 'Choose one value wherever both of you changed something.'
    : 'Somebody else saved this product after you opened it. Nothing of yours is saved yet. Choose which values to keep.';
  return html`<div class="notice" role="alert" tabindex="-1"${isIncomplete ? '' : html` autofocus`}><p>${text}</p></div>
<form class="stack" method="post" action="${action}" novalidate enctype="multipart/form-data">
${hiddenInputs(shop, { ...showing(now), opened })}${[...draftEntries(draft), ...uploaded.map((picture) => ['uploaded', picture] as const)].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${differing.map((name, index) => drawPart(name, view, usualChoice(name, changed), index === 0))}
<div class="row"><button name="do" value="choose">Save these choices</button>
<button class="quiet" name="do" value="keep-yours">Save all of mine</button>
<a class="button quiet" href="${action}">Keep everything as it is now</a></div></form>`;
}
