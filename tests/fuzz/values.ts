import fc from 'fast-check';
import { ATTACKS } from '#tests/support/attacks.ts';
import { changeAt, isObject, MISSING, nested, pathsOf } from '#tests/support/json-places.ts';

/** A change of something that is sent. */
export type Change<Sent> = (sent: Sent) => Sent;

export const attack = fc.constantFrom(...ATTACKS);

/** Values that parsers are known to stumble over. fast-check makes up the rest. */
const ODD: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  0.000_000_1,
  '',
  ' \t\n ',
  '12.5',
  [],
  {},
  [null, null],
  [0, '', null, [], {}, true],
  nested(400),
  'long '.repeat(20_000),
  'w'.repeat(5_000),
  Object.fromEntries(Array.from({ length: 1_000 }, (_, key) => [`key${key}`, key])),
  '\u0000\u0007\u001b[31m\uFEFF',
  '\ud83c mango \udf4a',
  '👩‍👩‍👧‍👦🍊'.repeat(50),
  `e${'\u0301'.repeat(2_000)}`,
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '^(a+)+$',
  '([',
  '../../etc/passwd',
  '__proto__',
];

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  attack,
  fc.constantFrom(...ODD),
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
);

const polluted = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify({ ...(isObject(value) ? value : {}), own: 0 }).replace(
      '"own":0',
      '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":null,"length":1e9',
    ),
  );

/** Changes that turn a value into another one. */
const TRANSFORMATIONS: readonly Change<unknown>[] = [
  () => MISSING,
  (value) => String(value),
  (value) => [value],
  (value) => ({ value }),
  (value) => Array.from({ length: 2_000 }, () => (Array.isArray(value) ? value[0] : value)),
  (value) => (Array.isArray(value) ? [...value, ...value] : value),
  (value) => (Array.isArray(value) ? value.slice(0, 1) : value),
  polluted,
];

const replaced = oddValue.map((value) => () => value);

/** Changes JSON text at one place. Other text stays as it is. */
export const jsonChange: fc.Arbitrary<Change<string>> = fc
  .tuple(fc.nat(10_000), fc.oneof(replaced, fc.constantFrom(...TRANSFORMATIONS)))
  .map(([place, change]) => (text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return text;
    }
    const paths = pathsOf(value);
    const changed = changeAt(value, paths[place % paths.length] ?? [], change);
    return changed === MISSING ? '' : (JSON.stringify(changed) ?? '');
  });
