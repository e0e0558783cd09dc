import * as v from 'valibot';

/** A string, or '' where the server sent anything else. Longer than `limit` characters is cut. */
export const text = (limit = 10_000) =>
  v.pipe(
    v.fallback(v.string(), ''),
    v.transform((value) => value.slice(0, limit)),
  );

/** The elements that fit, at most `limit`; '' or an object instead of a list is no elements. */
export const listOf = <Schema extends v.GenericSchema>(schema: Schema, limit: number) =>
  v.pipe(
    v.fallback(v.array(v.unknown()), []),
    v.transform((values) => keepValid(schema, values.slice(0, limit)).valid),
  );

/** Parses each element by itself, so that one bad element does not take the others with it. */
export function keepValid<Schema extends v.GenericSchema>(
  schema: Schema,
  values: readonly unknown[],
): { valid: v.InferOutput<Schema>[]; dropped: { index: number; issue: string }[] } {
  const valid: v.InferOutput<Schema>[] = [];
  const dropped: { index: number; issue: string }[] = [];
  for (const [index, value] of values.entries()) {
    const result = v.safeParse(schema, value, { abortEarly: true });
    if (result.success) valid.push(result.output);
    else
      dropped.push({
        index,
        issue: `${v.getDotPath(result.issues[0]) ?? '(itself)'}: ${result.issues[0].message}`,
      });
  }
  return { valid, dropped };
}

const Wrapped = v.object({ data: v.unknown() });

/** A single object comes bare or wrapped in `data` (resolutions 20a). */
export function unwrap(value: unknown): unknown {
  return v.is(Wrapped, value) ? value.data : value;
}

/** The entries of a plain object whose values are strings; a Map and a list of pairs are read too (resolutions 16). */
export const stringMap = (limit: number, textLimit: number) =>
  v.pipe(
    v.optional(v.unknown(), () => ({})),
    v.transform((value): ReadonlyMap<string, string> => {
      const entries =
        value instanceof Map
          ? [...value]
          : Array.isArray(value)
            ? value.filter(Array.isArray)
            : Object.entries(v.is(v.record(v.string(), v.unknown()), value) ? value : {});
      const pairs = entries
        .filter(
          (pair): pair is [string, string] => typeof pair[0] === 'string' && typeof pair[1] === 'string',
        )
        .slice(0, limit)
        .map(([key, content]) => [key, content.slice(0, textLimit)] as const);
      return new Map(pairs);
    }),
  );
