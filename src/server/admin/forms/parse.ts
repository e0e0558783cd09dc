import * as v from 'valibot';
import { readNumber } from '#domain/number-input.ts';
import { tidyCode, tidyText } from '#domain/text.ts';
import { type Errors, type Field, type Fields, text, type Values } from './field.ts';

export type FormSchema = v.GenericSchema<unknown, Record<string, unknown>>;

export interface FormDefinition<S extends FormSchema = FormSchema> {
  readonly schema: S;
  readonly fields: { readonly [Name in keyof v.InferInput<S> & string]: Field };
}

/** Makes a value without a field a type error. */
export const defineForm = <S extends FormSchema>(
  schema: S,
  fields: FormDefinition<S>['fields'],
): FormDefinition<S> => ({ schema, fields });

export type ParsedForm<S extends FormSchema> =
  | { readonly isValid: true; readonly output: v.InferOutput<S>; readonly values: Values }
  | { readonly isValid: false; readonly errors: Errors; readonly values: Values };

/** Returns a field's text, '' without one. Browsers send the line breaks of textareas as CR LF. */
export function sentText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
}

/** Returns the texts of a field that a form has several times. */
const sentTexts = (form: FormData, name: string): string[] =>
  form.getAll(name).filter((value) => typeof value === 'string');

const isSent = (value: FormDataEntryValue): boolean => value instanceof File && value.size > 0;

/** Moves items to other places, counted from 1. */
export function movedTo<T>(items: readonly T[], places: ReadonlyMap<T, number>): T[] {
  const order = items.filter((item) => !places.has(item));
  for (const [item, place] of [...places].sort(([, one], [, other]) => one - other))
    order.splice(place - 1, 0, item);
  return order;
}

/** Returns the pictures in the order of the typed places, without those ticked for removal. */
function picturesIn(form: FormData, name: string, max: number): string[] {
  const removed = new Set(sentTexts(form, `${name}.remove`));
  const places = sentTexts(form, `${name}.place`).map(Number);
  // Up to `max` stored pictures plus up to `max` new ones.
  const names = sentTexts(form, name).slice(0, 2 * max);
  const sent = names.map((picture, index) => ({ picture, place: places[index] ?? 0 }));
  const changed = sent.filter(({ place }, index) => place > 0 && place !== index + 1);
  const order = movedTo(names, new Map(changed.map(({ picture, place }) => [picture, place])));
  return [...new Set(order)].filter((picture) => !removed.has(picture));
}

/** Returns what the form shows again, and the tidied input for the schema. An empty number is null, not 0. */
function readField(
  field: Field,
  name: string,
  form: FormData,
): readonly [value: Values[string] | undefined, input: unknown] {
  const text = sentText(form, name);
  switch (field.control) {
    case 'file':
      return [undefined, form.getAll(name).find(isSent)];
    case 'checkbox':
      return [form.has(name), form.has(name)];
    case 'pictures': {
      const names = picturesIn(form, name, field.max);
      return [names.join('\n'), field.max === 1 ? (names[0] ?? '') : names];
    }
    case 'lines':
      return [text, text.split('\n').map(tidyText).filter(Boolean)];
    case 'number':
      return [text, tidyCode(text) === '' ? null : (readNumber(text) ?? Number.NaN)];
    // Passwords are compared byte for byte. A textarea may be a policy, whose schema knows what to change.
    case 'password':
    case 'hidden':
    case 'textarea':
    case 'select':
    case 'radios':
      return [text, text];
    default:
      return [text, tidyText(text)];
  }
}

const isChosen = ({ control }: Field): boolean => /^(?:select|radios|file)$/.test(control);

/** Valibot's default messages. */
const LIBRARY_TEXT = /^Invalid [\w ]+: /;

/** A message that begins in lower case follows the field's label. One with a capital is a whole sentence. */
function errorText(field: Field, issue: v.BaseIssue<unknown>): string {
  const { label } = field;
  const isMissing = issue.input === '' || issue.input === undefined || issue.input === null;
  const isOwn = !LIBRARY_TEXT.test(issue.message);
  if (isOwn && /^\p{Lu}/u.test(issue.message)) return issue.message;
  if (isMissing) return `${isChosen(field) ? 'Choose' : 'Enter'}: ${label}`;
  return isOwn ? `${label} ${issue.message}` : `${label} cannot be used`;
}

const isTooLong = ({ type }: v.BaseIssue<unknown>): boolean => /^max_(?:length|bytes)$/.test(type);

/** Returns all errors at once. A text that is too long is checked no further, because a pattern could be slow. */
function parseInput<S extends FormSchema>(schema: S, input: unknown): v.SafeParseResult<S> {
  const parsed = v.safeParse(schema, input, { abortPipeEarly: true });
  return parsed.issues?.some(isTooLong) === false ? v.safeParse(schema, input) : parsed;
}

/** Parses a form. `values` has the raw input, to show it again beside the errors. */
export function parseForm<S extends FormSchema>(
  { schema, fields }: FormDefinition<S>,
  form: FormData,
): ParsedForm<S> {
  const all: Fields = fields;
  const values: Record<string, Values[string]> = {};
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(all)) {
    const [value, read] = readField(field, name, form);
    if (value !== undefined) values[name] = value;
    input[name] = read;
  }
  const parsed = parseInput(schema, input);
  if (parsed.success) return { isValid: true, output: parsed.output, values };
  const errors = new Map<string, string>();
  for (const issue of parsed.issues) {
    const name = String(issue.path?.[0]?.key ?? '');
    const field = all[name];
    if (!errors.has(name)) errors.set(name, field ? errorText(field, issue) : issue.message);
  }
  return { isValid: false, errors, values };
}

/** Asks for the reason of an undo. */
export const reasonForm = defineForm(v.object({ reason: v.pipe(text(200), v.nonEmpty('must say why')) }), {
  reason: {
    label: 'Reason',
    hint: 'Such as: the wrong order was ticked. It stays in the log.',
    control: 'text',
    autocomplete: 'off',
  },
});
