import { expect, test, vi } from 'vitest';
import { createSearch } from '#components/search/engine.ts';
import {
  otherNames,
  readSearchNames,
  type SearchRow,
  SHARD_ROWS,
  searchShards,
  shardPath,
  shardsFor,
  singular,
  wordsOf,
} from '#domain/search.ts';

const names = readSearchNames(
  '# a remark\nmango, Aam, आम\n\napple, seb\ncustard apple, sitaphal\nraw mango, kairi\nstrawberry, स्ट्रॉबेरी\n',
);
const others = (name: string, category = '') => otherNames({ name, category }, names);

test('splits words of every script, ignoring case and accents', () => {
  expect(wordsOf('Crème BRÛLÉE, 2×')).toEqual(['creme', 'brulee', '2']);
  expect(wordsOf('संतरा आम')).toEqual(['संतरा', 'आम']);
});

test('a product has the synonyms of its name', () => {
  expect(others('Alphonso Mango, box of 6')).toEqual(['aam', 'आम']);
  expect(others('Kashmiri Apples, 1 kg')).toEqual(['seb']);
  expect(others('Mahabaleshwar Strawberries')).toEqual(['स्ट्रॉबेरी']);
  expect(others('Sitaphal')).toEqual(['custard apple']);
  expect(others('Mug')).toEqual([]);
});

test('a longer name is neither its last word nor a part of a word', () => {
  expect(others('Custard Apple, 1 kg')).toEqual(['sitaphal']);
  expect(others('Totapuri Raw Mango')).toEqual(['kairi']);
  expect(others('Pineapple')).toEqual([]);
});

const row = (place: number, name: string): SearchRow => [place, name, 'Fruit', ''];

test('a small catalogue has one index file', () => {
  const shards = searchShards([row(0, 'Mango'), row(1, 'Kiwi')]);
  expect([...shards.keys()]).toEqual(['']);
  expect(shardPath('')).toBe('/listing/search/all.json');
});

test('a large catalogue is split by word prefixes, and every word still finds its product', () => {
  const many = Array.from({ length: 5 * SHARD_ROWS }, (_, place) =>
    row(place, `${String.fromCharCode(97 + (place % 26))}${place % 7}thing ${place}`),
  );
  const shards = searchShards([...many, row(many.length, 'Zebra आम')]);
  const prefixes = [...shards.keys()];
  for (const rows of shards.values()) expect(rows.length).toBeLessThanOrEqual(SHARD_ROWS);
  for (const word of ['zebra', 'zeb', 'आम', 'c3thing']) {
    const found = shardsFor([word], prefixes).flatMap((prefix) => [...(shards.get(prefix) ?? [])]);
    expect(
      found.some(([, name]) => wordsOf(name).some((each) => each.startsWith(word))),
      word,
    ).toBe(true);
  }
  for (const prefix of prefixes) expect(shardPath(prefix)).toMatch(/^\/listing\/search\/[a-z0-9-]+\.json$/);
  expect(new Set(prefixes.map(shardPath)).size).toBe(prefixes.length);
});

const shop: SearchRow[] = [
  [0, 'Alphonso Mango, box of 6', 'Tropical Fruits', 'aam आम'],
  [60, 'Mango Butter Soap', 'Bath & Body', 'sabun'],
  [2, 'Nagpur Oranges, 1 kg', 'Citrus Fruits', 'santra संतरा'],
  [3, 'Bhagwa Pomegranate, 1 kg', 'Exotic Fruits', 'anar'],
  [4, 'Blueberries, 125 g', 'Berries', ''],
];

test.each([
  ['mango', ['Alphonso Mango, box of 6', 'Mango Butter Soap']],
  ['alph', ['Alphonso Mango, box of 6']],
  ['mengo soap', ['Mango Butter Soap']],
  ['pomgranate', ['Bhagwa Pomegranate, 1 kg']],
  ['mnago', ['Alphonso Mango, box of 6', 'Mango Butter Soap']],
  ['santra', ['Nagpur Oranges, 1 kg']],
  ['संतरा', ['Nagpur Oranges, 1 kg']],
  ['AAM', ['Alphonso Mango, box of 6']],
  ['amm', ['Alphonso Mango, box of 6']],
  ['anar zzzz', ['Bhagwa Pomegranate, 1 kg']],
  ['qqqqqq', []],
  ['blueberry', ['Blueberries, 125 g']],
  ['mangoes', ['Alphonso Mango, box of 6', 'Mango Butter Soap']],
])('%s finds %s', async (text, expected) => {
  vi.stubGlobal('fetch', async () => Response.json(shop));
  const found = await createSearch(['']).find(text);
  expect(found?.map(({ name }) => name).sort()).toEqual([...expected].sort());
});

test('equal matches are in the order of the catalogue', async () => {
  vi.stubGlobal('fetch', async () => Response.json(shop));
  for (const text of ['mango', 'mang'])
    expect((await createSearch(['']).find(text))?.[0]?.name).toBe('Alphonso Mango, box of 6');
});

test.each([
  ['berries', 'berry'],
  ['mangoes', 'mango'],
  ['boxes', 'box'],
  ['grapes', 'grape'],
  ['apples', 'apple'],
  ['pies', 'pie'],
  ['dress', 'dress'],
  ['dresses', 'dress'],
  ['gas', 'gas'],
  ['संतरे', 'संतरे'],
])('%s is %s', (word, one) => expect(singular(word)).toBe(one));

test('a failed file is reported and fetched again', async () => {
  vi.stubGlobal('fetch', async () => Response.error());
  const search = createSearch(['']);
  expect(await search.find('mango')).toBeUndefined();
  vi.stubGlobal('fetch', async () => Response.json(shop));
  expect(await search.find('mango')).toHaveLength(2);
});
