/** The line width of `npm run format`. With it, an exported folder passes the check, and Git shows only what has changed. */
const WIDTH = 110;

const INDENT = '  ';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const entryCount = (value: unknown): number =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;

/** A list of records with several fields has each of them on a line. */
const isTable = (value: readonly unknown[]): boolean =>
  value.length > 1 &&
  (value.every(isObject) || value.every(Array.isArray)) &&
  value.every((each) => entryCount(each) > 1);

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${onOneLine(field)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** @param depth how deep the value lies @param used how many characters its line has besides it */
function write(value: unknown, depth: number, used: number): string {
  const isList = Array.isArray(value);
  if (entryCount(value) === 0) return onOneLine(value);
  const isOpen = isList ? isTable(value) : depth <= 1;
  const line = onOneLine(value);
  if (!isOpen && used + line.length <= WIDTH) return line;
  const entries: [string, unknown][] = isList
    ? value.map((each) => ['', each])
    : Object.entries(isObject(value) ? value : {}).map(([key, field]) => [`${JSON.stringify(key)}: `, field]);
  const indent = INDENT.repeat(depth + 1);
  const lines = entries.map(([key, each], index) => {
    const comma = index < entries.length - 1 ? 1 : 0;
    return indent + key + write(each, depth + 1, indent.length + key.length + comma);
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${INDENT.repeat(depth)}${close}`;
}

export const tidyJson = (value: unknown): string => `${write(value, 0, 0)}\n`;
