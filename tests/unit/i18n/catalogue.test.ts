import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BUYING } from '#domain/buying/hindi.ts';
import * as CURRENCY from '#domain/currency.ts';
import { hindiDate } from '#domain/hindi-date.ts';
import { formatRupees } from '#domain/money.ts';
import { ISLAND_TEXTS } from '#i18n/hi-islands.ts';
import { SHOP, TILES } from '#i18n/hi-shop.ts';
import { createTranslator, templateOf } from '#i18n/translate.ts';

const catalogues = { SHOP, TILES, ISLAND_TEXTS };
const entries = Object.entries(catalogues).flatMap(([name, messages]) =>
  Object.entries(messages).map(([english, hindi]) => ({ name, english, hindi })),
);

/** The source of pages, scripts and islands, with white space collapsed as in a browser. */
const sources = globSync('src/**/*.{astro,ts,tsx}')
  .filter((file) => !file.startsWith('src/i18n/'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
  .replace(/\s+/g, ' ')
  .replace(/\$\{CURRENCY\.symbol\}/g, CURRENCY.symbol)
  .replaceAll('&amp;', '&');

/** A template may be composed of parts, so its words are searched one by one. */
const isInShop = (literal: string, isTemplate: boolean): boolean =>
  sources.includes(literal.trim()) ||
  (isTemplate && (literal.match(/[\w']+/g) ?? []).every((word) => sources.includes(word)));

test('the Hindi catalogue has no unused text', () => {
  const dead = entries.filter(({ english }) => {
    const { literals } = templateOf(english);
    return literals.some((literal) => !isInShop(literal, literals.length > 1));
  });
  expect(dead.map(({ english }) => english)).toEqual([]);
});

test('the Hindi catalogue has every placeholder in the translation', () => {
  const names = (text: string): string[] => templateOf(text).names.toSorted();
  const lost = entries.filter(({ english, hindi }) => names(english).join() !== names(hindi).join());
  expect(lost.map(({ english }) => english)).toEqual([]);
});

test('the Hindi catalogue is in Hindi', () => {
  const known = /\{\w+\}|\b(?:UPI|QR|PIN)\b|\|/g;
  const latin = entries.filter(({ hindi }) => /[A-Za-z]/.test(hindi.replace(known, '')));
  expect(latin.map(({ hindi }) => hindi)).toEqual([]);
  // Informal forms of address.
  const rude = entries.filter(({ hindi }) => /(?:^|[\s(])(?:तुम|तू|तुम्हारा|तेरा)(?:$|[\s).,])/.test(hindi));
  expect(rude.map(({ hindi }) => hindi)).toEqual([]);
});

test.each([
  `Today it comes to ${formatRupees(1_403.5)}.`,
  `${formatRupees(99)} each`,
  `${formatRupees(3_146)}, shipping Free`,
  '“आम”: only 1 left.',
  'Sold out, back in April',
  'Sold out, back on 15 April 2027',
  'We take no orders until 14 November 2026. You can order again from 15 November 2026.',
  `Orders begin at ${formatRupees(300)}, without delivery. ${formatRupees(50)} is missing.`,
  `Shipping from ${formatRupees(25)}, free from ${formatRupees(499)}`,
  'आम × 5, the least of one order',
])('the Hindi catalogue has %s, with its price', (text) =>
  expect(createTranslator([SHOP, BUYING, ISLAND_TEXTS], hindiDate)(text)).toMatch(/^[^A-Za-z]+$/),
);

test('the Hindi catalogue has each text once', () => {
  const twice = Object.keys(ISLAND_TEXTS).filter((english) => Object.hasOwn(SHOP, english));
  expect(twice).toEqual([]);
});

test('the Hindi catalogue is NFC, without stray spaces', () => {
  const odd = entries.filter(
    ({ hindi }) =>
      hindi !== hindi.trim() ||
      /\s{2}|\s[।?!]/.test(hindi) ||
      /[\u0900-\u097f]\./.test(hindi.replaceAll('...', '')),
  );
  expect(odd.map(({ hindi }) => hindi)).toEqual([]);
});
