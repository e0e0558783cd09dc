/** What is put in the place of one value of a JSON answer or request. */

type Json = unknown;

const HOST = 'https://evil.example';

/** Each would call `pwned` if it ever ran (faults 47). */
export const ATTACKS: readonly string[] = [
  '<script>pwned()</script>',
  '</script><script>pwned()</script>',
  '<img src=x onerror=pwned()>',
  '<svg onload=pwned()>',
  '<svg><script>pwned()</script></svg>',
  '"><img src=x onerror=pwned()>',
  "'><img src=x onerror=pwned()>",
  '" onfocus=pwned() autofocus x="',
  '<iframe srcdoc="<script>parent.pwned()</script>">',
  '<details open ontoggle=pwned()>',
  '<a href="javascript:pwned()">x</a>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=pwned()>',
  '<template><img src=x onerror=pwned()></template>',
  '<!--<script>pwned()//-->',
  '{{constructor.constructor("pwned()")()}}',
  `\${pwned()}`,
  'javascript:pwned()',
  ' javascript:pwned()',
  'java\nscript:pwned()',
  'data:text/html,<script>opener?.pwned()</script>',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="pwned()"/>',
  'vbscript:pwned()',
  'blob:https://evil.example/x',
  'file:///etc/passwd',
  '//evil.example/x',
  '\\\\evil.example\\x',
  `${HOST}/x`,
  'intent://pay#Intent;scheme=upi;end',
  'upi://pay?pa=x@y&am=1',
  '\u2028alert\u2029',
  '\u202egnirts siht',
  '<style>*{display:none}</style>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
];

const nested = (depth: number): Json => {
  let value: Json = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { value };
  return value;
};

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const polluted = (value: Json): Json =>
  JSON.parse(
    JSON.stringify({ ...(isObject(value) ? value : {}), own: 0 }).replace(
      '"own":0',
      '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":null,"length":1e9',
    ),
  );

/** Taken out instead of replaced. */
export const MISSING = Symbol('missing');

export const VALUE_CHANGES: Readonly<Record<string, (value: Json) => Json>> = {
  missing: () => MISSING,
  null: () => null,
  true: () => true,
  false: () => false,
  zero: () => 0,
  minus: () => -1,
  fraction: () => 1.5,
  'too large': () => 1e308,
  'two to 53': () => 2 ** 53,
  'tiny fraction': () => 0.000_000_1,
  'empty text': () => '',
  blank: () => ' \t\n ',
  text: () => 'zzz',
  'number as text': () => '12.5',
  'as text': (value) => String(value),
  'as list': (value) => [value],
  'as object': (value) => ({ value }),
  'empty list': () => [],
  'empty object': () => ({}),
  'list of nulls': () => [null, null],
  'mixed list': () => [0, '', null, [], {}, true],
  'deep nest': () => nested(400),
  'long text': () => 'long '.repeat(20_000),
  'long word': () => 'w'.repeat(5_000),
  'long list': (value) => Array.from({ length: 2_000 }, () => (Array.isArray(value) ? value[0] : value)),
  'many keys': () => Object.fromEntries(Array.from({ length: 1_000 }, (_, key) => [`key${key}`, key])),
  doubled: (value) => (Array.isArray(value) ? [...value, ...value] : value),
  'first only': (value) => (Array.isArray(value) ? value.slice(0, 1) : value),
  polluted,
  'control characters': () => '\u0000\u0007\u001b[31m\uFEFF',
  'lone surrogate': () => '\ud83c mango \udf4a',
  emoji: () => '👩‍👩‍👧‍👦🍊'.repeat(50),
  'combining marks': () => `e${'\u0301'.repeat(2_000)}`,
  'bad date': () => '2026-13-45T99:99:99Z',
  'far date': () => '+275760-09-13T00:00:00.001Z',
  pattern: () => '^(a+)+$',
  'broken pattern': () => '([',
  'path upwards': () => '../../etc/passwd',
  'prototype key': () => '__proto__',
  ...Object.fromEntries(ATTACKS.map((attack, index) => [`attack ${index}`, () => attack])),
};

export type Path = readonly (string | number)[];

/** Every place in a value, itself first; of long lists and objects only the first few. */
export function pathsOf(value: Json, most = 3): Path[] {
  const entries: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? value.slice(0, most).map((each, index) => [index, each] as const)
    : isObject(value)
      ? Object.entries(value).slice(0, 40)
      : [];
  return [[], ...entries.flatMap(([key, each]) => pathsOf(each, most).map((path) => [key, ...path]))];
}

/** The value with one place of it changed; unchanged where there is no such place any more. */
export function changeAt(value: Json, [key, ...rest]: Path, change: (value: Json) => Json): Json {
  if (key === undefined) return change(value);
  if (Array.isArray(value) && typeof key === 'number' && key < value.length) {
    return value.flatMap((each: Json, index) => {
      if (index !== key) return [each];
      const changed = changeAt(each, rest, change);
      return changed === MISSING ? [] : [changed];
    });
  }
  if (!isObject(value) || !Object.hasOwn(value, String(key))) return value;
  const entries = Object.entries(value).map(
    ([name, each]) => [name, name === key ? changeAt(each, rest, change) : each] as const,
  );
  return Object.fromEntries(entries.filter(([, each]) => each !== MISSING));
}
