import * as v from 'valibot';
import { cutToBytes } from '#domain/page-bytes.ts';

/** A string, cut to `limit` characters. Anything else becomes ''. */
export const text = (limit = 10_000) =>
  v.pipe(
    v.fallback(v.string(), ''),
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
    v.transform((value) => value.replace(/\s+/g, ' ').trim()),
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
    v.transform((values) => keepValid(schema, values.slice(0, limit)).valid),
  );

/** An invalid element of a list: its index from 0, and the schema's message. */
export interface Dropped {
  readonly index: number;
  readonly issue: string;
}

interface ValidAndDropped<Schema extends v.GenericSchema> {
  readonly valid: v.InferOutput<Schema>[];
  readonly dropped: Dropped[];
}

function parseOne<Schema extends v.GenericSchema>(
  { valid, dropped }: ValidAndDropped<Schema>,
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

/** Parses each element on its own, so that one invalid element does not reject the others. */
function keepValid<Schema extends v.GenericSchema>(
  schema: Schema,
  values: readonly unknown[],
): ValidAndDropped<Schema> {
  const result: ValidAndDropped<Schema> = { valid: [], dropped: [] };
  for (const [index, value] of values.entries()) parseOne(result, schema, value, index);
  return result;
}

/** The longest time in ms for which parsing delays a tap. */
const SLICE_MS = 10;

/** Like `keepValid`, but with pauses: parsing a dozen products blocks a slow phone for a tenth of a second. */
export async function keepValidInSlices<Schema extends v.GenericSchema>(
  schema: Schema,
  values: readonly unknown[],
): Promise<ValidAndDropped<Schema>> {
  const result: ValidAndDropped<Schema> = { valid: [], dropped: [] };
  let pauseAt = performance.now() + SLICE_MS;
  for (const [index, value] of values.entries()) {
    parseOne(result, schema, value, index);
    if (performance.now() < pauseAt) continue;
    await new Promise((resolve) => setTimeout(resolve));
    pauseAt = performance.now() + SLICE_MS;
  }
  return result;
}

const Wrapped = v.object({ data: v.unknown() });

/** Servers send a single object either bare or wrapped in `data`. */
export function unwrap(value: unknown): unknown {
  return v.is(Wrapped, value) ? value.data : value;
}

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
