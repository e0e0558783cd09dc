import * as v from 'valibot';

/** What is wrong with a form, by the path of the field, such as `attributes.0.values`. */
export type FieldErrors = Readonly<Record<string, string>>;

export interface Refused {
  readonly status: 'refused';
  readonly errors: FieldErrors;
}

/** The outcome of a change. Only 'saved' has changed the database, unless `before` equals `after`. */
export type Edit<T> =
  | { readonly status: 'saved'; readonly before: T; readonly after: T }
  | { readonly status: 'missing' }
  | Refused;

export const refused = (errors: FieldErrors): Refused => ({ status: 'refused', errors });

type Checked<T> = { readonly status: 'valid'; readonly value: T } | Refused;

/** Checks what an editor has sent. A field that is wrong in several ways has the first of its errors. */
export function check<S extends v.GenericSchema<unknown, unknown>>(
  schema: S,
  input: unknown,
): Checked<v.InferOutput<S>> {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) return { status: 'valid', value: parsed.output };
  const errors = parsed.issues.map((issue) => [v.getDotPath(issue) ?? '', issue.message]);
  return refused(Object.fromEntries(errors.toReversed()));
}
