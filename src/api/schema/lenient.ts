import * as v from 'valibot';
import { cutToBytes } from '#domain/page-bytes.ts';

/** A string, or '' where the server sent anything else. Longer than `limit` characters is cut. */
export const text = (limit = 10_000) =>
  v.pipe(
    v.fallback(v.string(), ''),
    v.transform((value) => value.slice(0, limit)),
  );

/** The same, cut at so many bytes in a page (faults 62). */
export const pageText = (bytes: number) =>
  v.pipe(
    v.fallback(v.string(), ''),
    v.transform((value) => cutToBytes(value, bytes)),
  );

/** The same on one line: a name that stands in addresses and lists. */
export const line = (bytes: number) =>
  v.pipe(
    pageText(bytes),
    v.transform((value) => value.replace(/\s+/g, ' ').trim()),
  );

/**
 * A text; what a server keeps as a number, such as an id or a PIN code, is read as one. Beyond 2^53 its last digits are
 * lost on the way, and it would be another's.
 */
export const numberOrText = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.safeInteger())]),
  v.transform((value) => String(value)),
);

/** A text, a number or a boolean, as text. */
export const scalar = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform((value) => String(value)),
);

export const Id = v.pipe(numberOrText, v.minLength(1), v.maxLength(300));

/** The elements that fit, at most `limit`; '' or an object instead of a list is no elements. */
export const listOf = <Schema extends v.GenericSchema>(schema: Schema, limit: number) =>
  v.pipe(
    v.fallback(v.array(v.unknown()), []),
    v.transform((values) => keepValid(schema, values.slice(0, limit)).valid),
  );

/** An element that was left out: its place, from 0, and why, in the words of the schema. */
export interface Dropped {
  readonly index: number;
  readonly issue: string;
}

interface Kept<Schema extends v.GenericSchema> {
  readonly valid: v.InferOutput<Schema>[];
  readonly dropped: Dropped[];
}

function keepOne<Schema extends v.GenericSchema>(
  { valid, dropped }: Kept<Schema>,
  schema: Schema,
  value: unknown,
  index: number,
): void {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) valid.push(result.output);
  else
    dropped.push({
      index,
      issue: `${v.getDotPath(result.issues[0]) ?? '(itself)'}: ${result.issues[0].message}`,
    });
}

/** Parses each element by itself, so that one bad element does not take the others with it. */
function keepValid<Schema extends v.GenericSchema>(schema: Schema, values: readonly unknown[]): Kept<Schema> {
  const kept: Kept<Schema> = { valid: [], dropped: [] };
  for (const [index, value] of values.entries()) keepOne(kept, schema, value, index);
  return kept;
}

/** The longest that a tap waits for a list. */
const SLICE_MS = 10;

/** The same for long lists, with pauses: a dozen products hold a slow phone for a tenth of a second. */
export async function keepValidInSlices<Schema extends v.GenericSchema>(
  schema: Schema,
  values: readonly unknown[],
): Promise<Kept<Schema>> {
  const kept: Kept<Schema> = { valid: [], dropped: [] };
  let until = performance.now() + SLICE_MS;
  for (const [index, value] of values.entries()) {
    keepOne(kept, schema, value, index);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    until = performance.now() + SLICE_MS;
  }
  return kept;
}

const Wrapped = v.object({ data: v.unknown() });

/** A single object comes bare or wrapped in `data` (resolutions 20a). */
export function unwrap(value: unknown): unknown {
  return v.is(Wrapped, value) ? value.data : value;
}

/** The entries of a plain object whose values fit, as texts; a Map and a list of pairs are read too (resolutions 16). */
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
      const pairs = entries.flatMap(([key, each]): [string, string][] => {
        const read = v.safeParse(content, each);
        return typeof key === 'string' && read.success ? [[key, read.output.slice(0, textLimit)]] : [];
      });
      return new Map(pairs.slice(0, limit));
    }),
  );
