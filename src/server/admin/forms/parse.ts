import * as v from 'valibot';
import { tidyCode, tidyText } from '#domain/text.ts';
import { readNumber } from '#domain/typed-numbers.ts';
import { type Field, type Fields, type Mistakes, type Typed, text } from './field.ts';

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
  | { readonly isValid: true; readonly values: v.InferOutput<S>; readonly typed: Typed }
  | { readonly isValid: false; readonly mistakes: Mistakes; readonly typed: Typed };

/** Browsers send the line breaks of textareas as CR LF. */
const textOf = (value: FormDataEntryValue | null): string =>
  typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';

/** Returns a field's text, '' without one. */
export const sentText = (form: FormData, name: string): string => textOf(form.get(name));

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

/** Returns the pictures in the order of the typed places, without those that are ticked to be removed. */
function picturesIn(form: FormData, name: string, most: number): string[] {
  const removed = new Set(sentTexts(form, `${name}.remove`));
  const places = sentTexts(form, `${name}.place`).map(Number);
  // Up to `most` stored pictures plus up to `most` new ones.
  const names = sentTexts(form, name).slice(0, 2 * most);
  const sent = names.map((picture, index) => ({ picture, place: places[index] ?? 0 }));
  const changed = sent.filter(({ place }, index) => place > 0 && place !== index + 1);
  const order = movedTo(names, new Map(changed.map(({ picture, place }) => [picture, place])));
  return [...new Set(order)].filter((picture) => !removed.has(picture));
}

function typedValue(field: Field, name: string, form: FormData): Typed[string] | undefined {
  if (field.control === 'file') return undefined;
  if (field.control === 'pictures') return picturesIn(form, name, field.most).join('\n');
  if (field.control === 'checkbox') return form.has(name);
  return textOf(form.get(name));
}

/** Passwords are compared byte for byte. A textarea may be a policy, whose schema knows what to change. */
const UNCHANGED: ReadonlySet<Field['control']> = new Set(['password', 'textarea', 'select', 'radios']);

/** Returns a field's input for the schema, tidied. An empty number is null, not 0. */
function inputValue(field: Field, name: string, form: FormData, typed: Typed[string] | undefined): unknown {
  if (field.control === 'file') return form.getAll(name).find(isSent);
  if (typeof typed !== 'string') return typed;
  if (field.control === 'pictures') return typed.split('\n').filter(Boolean);
  if (field.control === 'lines') return typed.split('\n').map(tidyText).filter(Boolean);
  if (field.control === 'number') return tidyCode(typed) === '' ? null : (readNumber(typed) ?? Number.NaN);
  return UNCHANGED.has(field.control) ? typed : tidyText(typed);
}

const isChosen = ({ control }: Field): boolean => /^(?:select|radios|file)$/.test(control);

/** Valibot's default messages. */
const LIBRARY_TEXT = /^Invalid [\w ]+: /;

/** A message that begins in lower case follows the field's label. One with a capital is a whole sentence. */
function mistakeText(field: Field, issue: v.BaseIssue<unknown>): string {
  const { label } = field;
  const isMissing = issue.input === '' || issue.input === undefined || issue.input === null;
  const isOwn = !LIBRARY_TEXT.test(issue.message);
  if (isOwn && /^\p{Lu}/u.test(issue.message)) return issue.message;
  if (isMissing) return `${isChosen(field) ? 'Choose' : 'Enter'}: ${label}`;
  return isOwn ? `${label} ${issue.message}` : `${label} cannot be used`;
}

const isTooLong = ({ type }: v.BaseIssue<unknown>): boolean => /^max_(?:length|bytes)$/.test(type);

/** Returns all errors at once. No later check runs on a text that is too long: a pattern could be slow. */
function parseInput<S extends FormSchema>(schema: S, input: unknown): v.SafeParseResult<S> {
  const parsed = v.safeParse(schema, input, { abortPipeEarly: true });
  return parsed.issues?.some(isTooLong) === false ? v.safeParse(schema, input) : parsed;
}

/** Parses a form. `typed` has the raw input, to show it again beside the errors. */
export function parseForm<S extends FormSchema>(
  { schema, fields }: FormDefinition<S>,
  form: FormData,
): ParsedForm<S> {
  const all: Fields = fields;
  const typed: Record<string, Typed[string]> = {};
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(all)) {
    const value = typedValue(field, name, form);
    if (value !== undefined) typed[name] = value;
    input[name] = inputValue(field, name, form, value);
  }
  const parsed = parseInput(schema, input);
  if (parsed.success) return { isValid: true, values: parsed.output, typed };
  const mistakes = new Map<string, string>();
  for (const issue of parsed.issues) {
    const name = String(issue.path?.[0]?.key ?? '');
    const field = all[name];
    if (!mistakes.has(name)) mistakes.set(name, field ? mistakeText(field, issue) : issue.message);
  }
  return { isValid: false, mistakes, typed };
}

/** Asks why something is taken back. */
export const reasonForm = defineForm(v.object({ reason: v.pipe(text(200), v.nonEmpty('must say why')) }), {
  reason: {
    label: 'Reason',
    hint: 'Such as: the wrong order was ticked. It stays in the log.',
    control: 'text',
    autocomplete: 'off',
  },
});
