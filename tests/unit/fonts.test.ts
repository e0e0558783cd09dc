import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { create } from 'fontkitten';
import subsetFont from 'subset-font';
import { describe, expect, test } from 'vitest';
import * as CURRENCY from '#domain/currency.ts';

const LETTERS = '0189,.– Aé';
const fonts = join(import.meta.dirname, '../../src/fonts');
const read = async (name: string): Promise<Buffer> =>
  subsetFont(await readFile(join(fonts, name)), LETTERS + CURRENCY.symbol, { targetFormat: 'sfnt' });

describe.each([
  ['figtree.woff2', 13.5, LETTERS],
  ['figtree-rupee.woff2', 1, CURRENCY.symbol],
  ['bricolage.woff2', 15, LETTERS],
  ['bricolage-rupee.woff2', 1, CURRENCY.symbol],
])('%s', (name, kilobytes, text) => {
  test(`draws ${text}`, async () => {
    const font = create(await read(name));
    if (font.isCollection) throw new Error('One file holds several fonts');
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      expect(font.hasGlyphForCodePoint(code), character).toBe(true);
      expect(font.glyphForCodePoint(code).advanceWidth, character).toBeGreaterThan(100);
    }
  });

  test(`weighs at most ${kilobytes} KB`, async () => {
    expect((await stat(join(fonts, name))).size).toBeLessThanOrEqual(kilobytes * 1000);
  });
});

test.each(['figtree.woff2', 'bricolage.woff2'])('%s keeps tabular figures', async (name) => {
  expect((await read(name)).includes('tnum')).toBe(true);
});
