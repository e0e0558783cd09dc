import type { ReactNode } from 'react';
import { ErrorSummary, FormField, PostForm } from '#server/admin/forms/Form.tsx';
import type { Fields, Mistakes } from '#server/admin/forms/field.ts';
import { thumbnailPath } from '#server/admin/paths.ts';
import { Button, Hint, Row } from '#server/admin/views/pieces.tsx';
import { PICTURE_TYPES } from '#server/pictures/stored-pictures.ts';
import type { Row as AttributeRow, Draft } from './draft.ts';
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
  readonly preview?: ReactNode;
}

const button = (action: string, text: string, about: string): ReactNode => (
  <Button look="quiet" size="small" name="do" value={action} aria-label={`${text}: ${about}`}>
    {text}
  </Button>
);

const pictureInputs = (pictures: readonly string[], uploaded: readonly string[]): ReactNode[] => [
  ...pictures.map((picture) => <input key={picture} type="hidden" name="picture" value={picture} />),
  ...uploaded.map((picture) => <input key={picture} type="hidden" name="uploaded" value={picture} />),
];

function renderPictures({ pictures }: Draft, mistakes: Mistakes | undefined): ReactNode {
  const items = pictures.map((picture, index) => {
    const about = `picture ${index + 1}`;
    return (
      <li key={picture} className="flex items-center gap-x-4 gap-y-2 border-line border-b py-3">
        <img
          className="flex-none rounded-input bg-mist object-contain"
          src={thumbnailPath(picture)}
          alt={`Picture ${String(index + 1)}`}
          width="96"
          height="96"
        />
        <Row>
          {index === 0 ? (
            <strong>Main picture</strong>
          ) : (
            <>
              {button(`first-${index}`, 'Make main', about)}
              {index > 1 && button(`earlier-${index}`, 'Earlier', about)}
            </>
          )}
          {index + 1 < pictures.length && button(`later-${index}`, 'Later', about)}
          {button(`drop-${index}`, 'Remove', about)}
        </Row>
      </li>
    );
  });
  return (
    <fieldset className="rounded-panel border border-line p-4">
      <legend className="px-2">Pictures</legend>
      {items.length > 0 && <ul className="m-0 mb-5 list-none p-0">{items}</ul>}
      <FormField name="files" field={PICTURES_FIELD} mistakes={mistakes} />
      <Button look="quiet" name="do" value="upload">
        Upload the chosen pictures
      </Button>
    </fieldset>
  );
}

function renderRow(
  { id, ...row }: AttributeRow,
  index: number,
  { mistakes, newRow }: ProductFormView,
): ReactNode {
  const typed = { [`key-${index}`]: row.key, [`values-${index}`]: row.values, [`unit-${index}`]: row.unit };
  const rows = row.values.split('\n').length;
  return (
    <li
      key={index}
      className="grid grid-cols-[1fr_auto] items-end gap-x-4 gap-y-2 border-line border-b py-3 *:nth-2:col-span-full *:nth-3:col-span-full sm:grid-cols-[3fr_4fr_88px_auto] sm:*:nth-2:col-auto sm:*:nth-3:col-auto"
    >
      <input type="hidden" name={`attribute-${index}`} value={id} />
      <FormField
        name={`key-${index}`}
        field={newRow === index ? { ...KEY_FIELD, isFocused: true } : KEY_FIELD}
        typed={typed}
        mistakes={mistakes}
      />
      <FormField
        name={`values-${index}`}
        field={{ ...VALUES_FIELD, rows: Math.min(rows, 6) }}
        typed={typed}
        mistakes={mistakes}
      />
      <FormField name={`unit-${index}`} field={UNIT_FIELD} typed={typed} mistakes={mistakes} />
      {button(`remove-row-${index}`, 'Remove', row.key || `attribute ${index + 1}`)}
    </li>
  );
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
export function renderProduct(view: ProductFormView): ReactNode {
  const { draft, action, hidden, uploaded, mistakes, preview = '' } = view;
  return (
    <>
      <ErrorSummary mistakes={mistakes} />
      <PostForm
        className="grid max-w-215 gap-5"
        action={action}
        noValidate
        encType="multipart/form-data"
        hidden={hidden}
      >
        <Button size="unseen" name="do" value="save" tabIndex={-1} aria-hidden="true">
          Save
        </Button>
        {pictureInputs(draft.pictures, uploaded)}
        {Object.entries(fieldsFor(view)).map(([name, field]) => (
          <FormField key={name} name={name} field={field} typed={draft.typed} mistakes={mistakes} />
        ))}
        {renderPictures(draft, mistakes)}
        <fieldset className="rounded-panel border border-line p-4">
          <legend className="px-2">Other attributes</legend>
          <Hint>The first ten are shown in the product's table.</Hint>
          {draft.rows.length > 0 && (
            <ul className="m-0 mb-5 list-none p-0">
              {draft.rows.map((row, index) => renderRow(row, index, view))}
            </ul>
          )}
          <Button look="quiet" name="do" value="add-row">
            Add an attribute
          </Button>
        </fieldset>
        {preview}
        <div className="tall:sticky bottom-0 flex flex-wrap items-end gap-3 border-line border-t bg-canvas py-3">
          <Button name="do" value="save">
            Save
          </Button>
          <Button look="quiet" name="do" value="preview">
            Preview
          </Button>
        </div>
      </PostForm>
    </>
  );
}
