/** A change that returns this removes the value instead of replacing it. */
export const MISSING = Symbol('missing');

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type Path = readonly (string | number)[];

/** The paths of every value inside a value, its own first. Long lists and objects give only their first entries. */
export function pathsOf(value: unknown): Path[] {
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.slice(0, 3).map((item, index) => [index, item] as const)
    : isObject(value)
      ? Object.entries(value).slice(0, 40)
      : [];
  return [[], ...entries.flatMap(([key, child]) => pathsOf(child).map((path) => [key, ...path]))];
}

export function changeAt(value: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => {
      const changed = index === key ? changeAt(item, rest, change) : item;
      return changed === MISSING ? [] : [changed];
    });
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([name, child]) => [name, name === key ? changeAt(child, rest, change) : child] as const,
  );
  return Object.fromEntries(entries.filter(([, child]) => child !== MISSING));
}

/** Arrays and objects that are nested `depth` levels deep. */
export const nested = (depth: number): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { value };
  return value;
};

/** The value of a JSON text; undefined if it is none. */
export function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
