import { html } from 'hono/html';
import type { Fields, Mistakes } from '#server/admin/forms/field.ts';
import { hiddenInputs, mistakeSummary, renderField } from '#server/admin/forms/render.ts';
import { thumbnailPath } from '#server/admin/paths.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { PICTURE_TYPES } from '#server/pictures/stored-pictures.ts';
import type { Services } from '#server/services/services.ts';
import type { Draft, Row } from './draft.ts';
import { PRODUCT_FIELDS, productForm } from './product-form.ts';

const ID_FIELD = {
  label: 'Id',
  control: 'text',
  isOptional: true,
  hint: 'Part of the page’s address. It cannot be changed later. Made from the title if empty.',
} as const;

const KEY_FIELD = { label: 'Name', control: 'text' } as const;

const VALUES_FIELD = { label: 'Values, one per line', control: 'textarea' } as const;

const UNIT_FIELD = { label: 'Unit', control: 'text' } as const;

const PICTURES_FIELD = {
  label: 'Add pictures',
  control: 'files',
  accept: PICTURE_TYPES,
  isOptional: true,
  hint: 'JPEG, PNG, WebP or AVIF, each up to 15 MB, together up to 32 MB.',
} as const;

export interface ProductFormView {
  readonly draft: Draft;
  readonly action: string;
  readonly hidden: Readonly<Record<string, string | number>>;
  /** Pictures that were stored since the form was opened. */
  readonly uploaded: readonly string[];
  readonly mistakes?: Mistakes;
  readonly suggestions: Readonly<Record<'category' | 'parentCategory', readonly string[]>>;
  /** Whether the id can still be chosen. */
  readonly hasId?: boolean;
  /** The index of a row that was just added. */
  readonly newRow?: number;
  readonly preview?: Content;
}

const button = (action: string, text: string, about: string): Html =>
  html`<button class="quiet small" name="do" value="${action}" aria-label="${text}: ${about}">${text}</button>`;

const pictureInputs = (pictures: readonly string[], uploaded: readonly string[]): Html[] => [
  ...pictures.map((picture) => html`<input type="hidden" name="picture" value="${picture}">`),
  ...uploaded.map((picture) => html`<input type="hidden" name="uploaded" value="${picture}">`),
];

function renderPictures({ pictures }: Draft, mistakes: Mistakes | undefined): Html {
  const items = pictures.map((picture, index) => {
    const about = `picture ${index + 1}`;
    return html`<li><img src="${thumbnailPath(picture)}" alt="Picture ${String(index + 1)}" width="96" height="96">
<span class="row">${
      index === 0
        ? html`<strong>Main picture</strong>`
        : html`${button(`first-${index}`, 'Make main', about)}${index > 1 ? button(`earlier-${index}`, 'Earlier', about) : ''}`
    }${index + 1 < pictures.length ? button(`later-${index}`, 'Later', about) : ''}${button(`drop-${index}`, 'Remove', about)}</span></li>`;
  });
  return html`<fieldset class="group"><legend>Pictures</legend>
${items.length > 0 ? html`<ul class="pictures">${items}</ul>` : ''}
${renderField('files', PICTURES_FIELD, {}, mistakes)}
<button class="quiet" name="do" value="upload">Upload the chosen pictures</button></fieldset>`;
}

function renderRow({ id, ...row }: Row, index: number, { mistakes, newRow }: ProductFormView): Html {
  const typed = { [`key-${index}`]: row.key, [`values-${index}`]: row.values, [`unit-${index}`]: row.unit };
  const rows = row.values.split('\n').length;
  return html`<li><input type="hidden" name="attribute-${index}" value="${id}">
${renderField(`key-${index}`, newRow === index ? { ...KEY_FIELD, isFocused: true } : KEY_FIELD, typed, mistakes)}
${renderField(`values-${index}`, { ...VALUES_FIELD, rows: Math.min(rows, 6) }, typed, mistakes)}
${renderField(`unit-${index}`, UNIT_FIELD, typed, mistakes)}
${button(`remove-row-${index}`, 'Remove', row.key || `attribute ${index + 1}`)}</li>`;
}

function fieldsFor({ suggestions, hasId }: ProductFormView): Fields {
  const { category, parentCategory } = PRODUCT_FIELDS;
  return {
    ...productForm.fields,
    category: { ...category.field, suggestions: suggestions.category },
    parentCategory: { ...parentCategory.field, suggestions: suggestions.parentCategory },
    ...(hasId ? { id: ID_FIELD } : {}),
  };
}

/**
 * The form of a product. Only Save stores the product: the other buttons answer with the form again.
 * Enter in a field presses the first button of a form, so a hidden Save is the first.
 */
export function renderProduct(services: Services, view: ProductFormView): Html {
  const { draft, action, hidden, uploaded, mistakes, preview = '' } = view;
  return html`${mistakeSummary(mistakes)}
<form class="stack product" method="post" action="${action}" novalidate enctype="multipart/form-data">
<button class="unseen" name="do" value="save" tabindex="-1" aria-hidden="true">Save</button>
${hiddenInputs(services, hidden)}${pictureInputs(draft.pictures, uploaded)}
${Object.entries(fieldsFor(view)).map(([name, field]) => renderField(name, field, draft.typed, mistakes))}
${renderPictures(draft, mistakes)}
<fieldset class="group"><legend>Other attributes</legend><p class="hint">The first ten are shown in the product's table.</p>
${draft.rows.length > 0 ? html`<ul class="pairs">${draft.rows.map((row, index) => renderRow(row, index, view))}</ul>` : ''}
<button class="quiet" name="do" value="add-row">Add an attribute</button></fieldset>
${preview}
<div class="row save"><button name="do" value="save">Save</button><button class="quiet" name="do" value="preview">Preview</button></div>
</form>`;
}
