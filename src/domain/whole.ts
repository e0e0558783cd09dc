/**
 * All fields of a type, those that may be missing too. A place that makes or compares every field has this type, so that
 * it cannot forget a new one.
 */
export type Whole<T> = { readonly [Name in keyof Required<T>]: T[Name] };
