import type * as v from 'valibot';

/** The parts of a valibot schema that tell what it is made of. */
interface Shape {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly item?: Shape;
  readonly wrapped?: Shape;
  readonly options?: readonly unknown[];
}

const LEAVES: Readonly<Record<string, unknown>> = {
  string: 'a sample text',
  number: 1,
  boolean: true,
  custom: 1,
  record: {},
};

/**
 * A value of a schema of the API that has every field, and one of each list. Rules, such as the form of a date, are not
 * kept: the storefront's readers do not ask for them.
 * @throws for a type that it does not know
 */
export function sampleOf(schema: Shape | v.GenericSchema): unknown {
  const { type, entries, item, wrapped, options }: Shape = schema;
  if (entries) return Object.fromEntries(Object.entries(entries).map(([key, each]) => [key, sampleOf(each)]));
  if (item) return [sampleOf(item)];
  if (wrapped) return sampleOf(wrapped);
  if (options) return options[0];
  if (!(type in LEAVES)) throw new Error(`No sample for the schema '${type}'.`);
  return LEAVES[type];
}

/** The names of all fields in a value, such as 'data.items.price'. The places in a list have no name. */
export function namesIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => namesIn(each, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = path ? `${path}.${key}` : key;
    return [name, ...namesIn(inner, name)];
  });
}

/** The same value, which adds to `read` the name of each field that somebody reads. */
export function recorded(value: unknown, read: Set<string>, path = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const inner: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return inner;
      if (Array.isArray(target)) return recorded(inner, read, path);
      const name = path ? `${path}.${key}` : key;
      read.add(name);
      return recorded(inner, read, name);
    },
  });
}
