import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { API_CALLS } from '#scripts/api/app/calls.ts';
import { parseForm } from '#scripts/api/office/forms/parse.ts';

const modules = import.meta.glob<Readonly<Record<string, unknown>>>(
  ['/scripts/api/**/*.ts', '!/scripts/api/server.ts', '!/scripts/api/commands/*'],
  { eager: true },
);

interface Part {
  readonly kind?: string;
  readonly type?: string;
  readonly pipe?: readonly Part[];
  readonly requirement?: unknown;
}

const isPart = (value: unknown): value is Part & Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && 'kind' in value && 'type' in value;

/** All schemas inside a schema, its own first. */
function partsOf(schema: unknown): Part[] {
  if (!isPart(schema)) return [];
  const { pipe, entries, item, items, options, wrapped, key, value, rest } = schema;
  const inside = [
    ...(pipe ?? []).filter((part) => part.pipe),
    ...Object.values(entries ?? {}),
    ...[items, options].flatMap((list) => (Array.isArray(list) ? list : [])),
    ...[item, wrapped, key, value, rest],
  ];
  return [schema, ...inside.flatMap(partsOf)];
}

const BOUNDS = /^(?:max_length|max_bytes|length)$/;
const READERS = /^(?:regex|check|raw_check|transform|raw_transform|partial_check|email|url|iso_.*)$/;

/** A pattern such as `^\d{4}$` reads no more of a text than it may have. */
const isBound = ({ type = '', requirement, pipe }: Part): boolean =>
  pipe?.some(isBound) ||
  BOUNDS.test(type) ||
  (requirement instanceof RegExp && !/[*+]|,\}/.test(requirement.source));

/** What reads a text before its length is known; undefined where nothing does. */
function earlyReader({ type, pipe = [] }: Part): string | undefined {
  if (type !== 'string') return undefined;
  const bound = pipe.findIndex(isBound);
  const reader = pipe.find(
    ({ type: action = '' }, place) => READERS.test(action) && (bound === -1 || place < bound),
  );
  return reader && `${reader.type} ${reader.requirement}`;
}

const isForm = (value: unknown): value is { schema: unknown } =>
  typeof value === 'object' && value !== null && 'schema' in value && 'fields' in value;

const forms = Object.entries(modules).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]): [string, unknown][] =>
    isForm(value) ? [[`${name} of ${file}`, value.schema]] : [],
  ),
);

describe('what strangers send', () => {
  it.each([
    ...API_CALLS.map(({ method, path, request }): [string, unknown] => [`${method} ${path}`, request]),
    ...forms,
  ])('[fault 119] %s: the length of each text comes before all that reads it', (_name, schema) => {
    expect(partsOf(schema).flatMap((part) => earlyReader(part) ?? [])).toEqual([]);
  });

  it('[fault 119] a text of a form that is too long is read by no later check', () => {
    let reads = 0;
    const reading = v.check<string, string>(() => {
      reads += 1;
      return false;
    }, 'is wrong');
    const schema = v.object({
      long: v.pipe(v.string(), v.maxLength(5, 'is too long'), reading),
      other: v.pipe(v.string(), v.minLength(5, 'is too short')),
    });
    const fields = {
      long: { label: 'Long', control: 'text' },
      other: { label: 'Other', control: 'text' },
    } as const;
    const parse = (long: string) => {
      const form = new FormData();
      form.set('long', long);
      form.set('other', 'x');
      const parsed = parseForm({ schema, fields }, form);
      return parsed.isGood ? undefined : [...parsed.mistakes.values()];
    };
    expect([parse('123456'), reads]).toEqual([['Long is too long', 'Other is too short'], 0]);
    expect([parse('1'), reads > 0]).toEqual([['Long is wrong', 'Other is too short'], true]);
  });
});
