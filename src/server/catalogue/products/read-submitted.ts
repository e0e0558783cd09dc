import * as v from 'valibot';
import type { Mistakes } from '#server/admin/forms/field.ts';
import { parseForm, sentText } from '#server/admin/forms/parse.ts';
import { type CatalogueProduct, ProductSchema } from '#server/catalogue/schema.ts';
import { storeUploads } from '#server/pictures/stored-pictures.ts';
import type { Services } from '#server/services/services.ts';
import { attributesOf, type Draft, EMPTY_ROW, hasOwnField, MOST_ATTRIBUTES, readDraft } from './draft.ts';
import type { FieldErrors } from './edit-products.ts';
import { productForm } from './product-form.ts';

export interface Submitted {
  /** The pressed button. */
  readonly action: string;
  readonly draft: Draft;
  /** Undefined if a field is invalid. */
  readonly values: v.InferOutput<typeof productForm.schema> | undefined;
  readonly mistakes: Mistakes;
  /** A sentence for each refused file. */
  readonly refusals: readonly string[];
  /** Pictures that were stored since the form was opened. */
  readonly uploaded: readonly string[];
}

const { attributes: AttributesSchema } = ProductSchema.entries;

/** The fields of a row and their labels, by the property of the attribute. */
const ROW_FIELDS: Readonly<Record<string, readonly [field: string, label: string]>> = {
  key: ['key', 'Name'],
  values: ['values', 'The list of values'],
  metricUnit: ['unit', 'Unit'],
};

function attributeMistakes(
  draft: Draft,
  values: Submitted['values'],
  before: CatalogueProduct | undefined,
): [string, string][] {
  const { attributes, rowOf } = attributesOf(draft, values ?? {}, before?.attributes);
  const own = draft.rows.flatMap(({ key }, row): [string, string][] =>
    hasOwnField(key) ? [[`key-${row}`, `“${key.trim()}” has a field of its own above`]] : [],
  );
  const issues = v.safeParse(AttributesSchema, attributes).issues ?? [];
  const wrong = issues.map(({ path, message }): [string, string] => {
    const [index, part] = (path ?? []).map(({ key }) => key);
    const row = rowOf(Number(index));
    const [field, label] = ROW_FIELDS[String(part)] ?? [];
    if (row !== undefined && field) return [`${field}-${row}`, `${label} ${message}`];
    return ['', `Attributes: ${message}`];
  });
  return [...own, ...wrong];
}

const MOST_PICTURES = 20;

function pictureMistakes({ pictures }: Draft, refusals: readonly string[]): [string, string][] {
  const sentences = [
    ...refusals,
    ...(pictures.length === 0 ? ['Add a picture: each product needs one.'] : []),
    ...(pictures.length > MOST_PICTURES ? [`A product has at most ${MOST_PICTURES} pictures.`] : []),
  ];
  return sentences.length === 0 ? [] : [['files', sentences.join(' ')]];
}

/** @param to the index among the other pictures */
function movePicture({ pictures, ...draft }: Draft, from: number, to: number): Draft {
  const picture = pictures[from];
  if (picture === undefined) return { ...draft, pictures };
  return { ...draft, pictures: pictures.toSpliced(from, 1).toSpliced(Math.max(0, to), 0, picture) };
}

/** Applies a button that changes only the draft, such as 'Remove'. */
function changeDraft(action: string, draft: Draft): Draft {
  const [, name = '', digits = ''] = /^(.+)-(\d{1,3})$/.exec(action) ?? [];
  const index = Number(digits);
  if (action === 'add-row') {
    return draft.rows.length < MOST_ATTRIBUTES ? { ...draft, rows: [...draft.rows, EMPTY_ROW] } : draft;
  }
  if (name === 'remove-row') return { ...draft, rows: draft.rows.filter((_, row) => row !== index) };
  if (name === 'drop') return { ...draft, pictures: draft.pictures.filter((_, at) => at !== index) };
  if (name === 'first') return movePicture(draft, index, 0);
  if (name === 'earlier') return movePicture(draft, index, index - 1);
  if (name === 'later') return movePicture(draft, index, index + 1);
  return draft;
}

/** Parses a product's form, stores its new pictures, and applies buttons that change the draft. */
export async function readSubmitted(
  services: Services,
  form: FormData,
  before?: CatalogueProduct,
): Promise<Submitted> {
  const action = sentText(form, 'do');
  const parsed = parseForm(productForm, form);
  const { names, refusals } = await storeUploads(services, form.getAll('files'));
  const sent = readDraft(form, { ...parsed.typed, id: sentText(form, 'id').trim() });
  const draft = changeDraft(action, { ...sent, pictures: [...new Set([...sent.pictures, ...names])] });
  const values = parsed.isValid ? parsed.values : undefined;
  const mistakes = new Map([
    ...(parsed.isValid ? [] : parsed.mistakes),
    ...pictureMistakes(draft, refusals),
    ...attributeMistakes(draft, values, before).toReversed(),
  ]);
  const sentBefore = form.getAll('uploaded').filter((name) => typeof name === 'string');
  const uploaded = [...new Set([...sentBefore, ...names])];
  return { action, draft, values, mistakes, refusals, uploaded };
}

/** Converts errors that only `edit-products.ts` finds to errors of the form's fields. */
export const storedMistakes = (errors: FieldErrors): Mistakes =>
  new Map(
    Object.entries(errors).map(([path, message]): [string, string] => {
      if (path === 'id') return ['id', `Id ${message}`];
      if (/^im(?:gUrl|ages)/.test(path)) return ['files', `Pictures: ${message}`];
      return ['', `${path}: ${message}`];
    }),
  );
