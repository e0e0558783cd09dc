/**
 * All fields of a type, those that may be missing too. A place that makes or compares every field has this type, so that
 * it cannot forget a new one.
 */
export type Whole<T> = { readonly [Name in keyof Required<T>]: T[Name] | undefined };

/** Leaves out the fields that are undefined. */
export const present = <T extends object>(whole: Whole<T>): T =>
  Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as T;
