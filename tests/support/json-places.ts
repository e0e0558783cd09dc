/** Taken out instead of replaced. */
export const MISSING = Symbol('missing');

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type Path = readonly (string | number)[];

/** Every place in a value, itself first; of long lists and objects only the first few. */
export function pathsOf(value: unknown): Path[] {
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.slice(0, 3).map((each, index) => [index, each] as const)
    : isObject(value)
      ? Object.entries(value).slice(0, 40)
      : [];
  return [[], ...entries.flatMap(([key, each]) => pathsOf(each).map((path) => [key, ...path]))];
}

export function changeAt(value: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.flatMap((each: unknown, index) => {
      const changed = index === key ? changeAt(each, rest, change) : each;
      return changed === MISSING ? [] : [changed];
    });
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([name, each]) => [name, name === key ? changeAt(each, rest, change) : each] as const,
  );
  return Object.fromEntries(entries.filter(([, each]) => each !== MISSING));
}

/** Arrays and objects in each other, so deep. */
export const nested = (depth: number): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { value };
  return value;
};
