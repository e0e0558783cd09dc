import * as v from 'valibot';
import { cutToBytes } from '#domain/page-bytes.ts';
import { tidyText } from '#domain/text.ts';

/** A string, cut to `limit` characters. Anything else becomes ''. */
export const text = (limit = 10_000) =>
  v.pipe(
    v.fallback(v.string(), ''),
    v.transform((value) => value.slice(0, limit)),
  );

/** A string with a character, cut to `limit` characters. Not `text`, whose fallback would also fill a missing key. */
export const filled = (limit: number) =>
  v.pipe(
    v.string(),
    v.nonEmpty(),
    v.transform((value) => value.slice(0, limit)),
  );

/** Like `text`, but limited by the bytes that it takes up in a page. */
export const pageText = (bytes: number) =>
  v.pipe(
    v.fallback(v.string(), ''),
    v.transform((value) => cutToBytes(value, bytes)),
  );

/** Like `pageText`, but on one line, for names in addresses and lists. */
export const line = (bytes: number) =>
  v.pipe(
    pageText(bytes),
    v.transform((value) => tidyText(value.replace(/\s+/g, ' '))),
  );

/**
 * A text, or a number as text, because some servers send ids or PIN codes as numbers. Refuses numbers beyond 2^53,
 * because JSON loses their last digits and the id could be another's.
 */
export const numberOrText = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.safeInteger())]),
  v.transform((value) => String(value)),
);

export const scalar = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform((value) => String(value)),
);

export const Id = v.pipe(numberOrText, v.minLength(1), v.maxLength(300));

/** The valid elements among the first `limit`. Anything but a list becomes an empty list. */
export const listOf = <Schema extends v.GenericSchema>(schema: Schema, limit: number) =>
  v.pipe(
    v.fallback(v.array(v.unknown()), []),
    v.transform((values) =>
      values.slice(0, limit).flatMap((value) => {
        const parsed = v.safeParse(schema, value, { abortEarly: true });
        return parsed.success ? [parsed.output] : [];
      }),
    ),
  );

/** An invalid element of a list: its index from 0, and the schema's message. */
export interface Dropped {
  readonly index: number;
  readonly issue: string;
}

/** The longest time in ms for which parsing delays a tap. */
const SLICE_MS = 10;

/**
 * Parses each element on its own, so that one invalid element does not reject the others. Pauses meanwhile: parsing a
 * dozen products blocks a slow phone for a tenth of a second.
 */
export async function keepValidInSlices<Schema extends v.GenericSchema>(
  schema: Schema,
  values: readonly unknown[],
): Promise<{ readonly valid: v.InferOutput<Schema>[]; readonly dropped: Dropped[] }> {
  const valid: v.InferOutput<Schema>[] = [];
  const dropped: Dropped[] = [];
  let pauseAt = performance.now() + SLICE_MS;
  for (const [index, value] of values.entries()) {
    const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
    if (success) valid.push(output);
    else dropped.push({ index, issue: `${v.getDotPath(issues[0]) ?? '(itself)'}: ${issues[0].message}` });
    if (performance.now() < pauseAt) continue;
    await new Promise((resolve) => setTimeout(resolve));
    pauseAt = performance.now() + SLICE_MS;
  }
  return { valid, dropped };
}

const Wrapped = v.object({ data: v.unknown() });

export function unwrap(value: unknown): unknown {
  return v.is(Wrapped, value) ? value.data : value;
}

/** A single object, which servers send either bare or wrapped in `data`. */
export const unwrapped = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(v.unknown(), v.transform(unwrap), schema);

/** The entries with a valid value of a plain object, a Map or a list of pairs. */
export const textMap = (content: v.GenericSchema<unknown, string>, limit: number, textLimit: number) =>
  v.pipe(
    v.optional(v.unknown(), () => ({})),
    v.transform((value): ReadonlyMap<string, string> => {
      const entries =
        value instanceof Map
          ? [...value]
          : Array.isArray(value)
            ? value.filter(Array.isArray)
            : Object.entries(v.is(v.record(v.string(), v.unknown()), value) ? value : {});
      const pairs = entries.flatMap(([key, entryValue]): [string, string][] => {
        const parsed = v.safeParse(content, entryValue);
        return typeof key === 'string' && parsed.success ? [[key, parsed.output.slice(0, textLimit)]] : [];
      });
      return new Map(pairs.slice(0, limit));
    }),
  );
