import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { describe, expect, test } from 'vitest';
import { readCmap } from '#scripts/fonts/cmap.ts';
import { readSfnt, type Sfnt, table } from '#scripts/fonts/sfnt.ts';

const RUPEE = 0x20b9;
const fonts = join(import.meta.dirname, '../../src/fonts');
const read = async (name: string): Promise<Sfnt> => {
  const file = await readFile(join(fonts, name));
  return readSfnt(await subsetFont(file, '₹0189,.– Aé', { targetFormat: 'sfnt' }));
};

describe.each([
  ['figtree.woff2', 13.5],
  ['bricolage.woff2', 15],
])('%s', (name, kilobytes) => {
  test('a price needs no second file: ₹ stands among the letters, with an outline and an advance', async () => {
    const font = await read(name);
    const glyph = readCmap(table(font, 'cmap')).get(RUPEE) ?? 0;
    expect(glyph).toBeGreaterThan(0);
    expect(table(font, 'hmtx').readUInt16BE(4 * glyph)).toBeGreaterThan(400);
    const loca = table(font, 'loca');
    expect(loca.readUInt16BE(2 * glyph + 2)).toBeGreaterThan(loca.readUInt16BE(2 * glyph));
  });

  test('keeps tabular figures', async () => {
    expect(table(await read(name), 'GSUB').includes('tnum')).toBe(true);
  });

  test(`weighs at most ${kilobytes} KB`, async () => {
    expect((await stat(join(fonts, name))).size).toBeLessThanOrEqual(kilobytes * 1000);
  });
});

test('the rupee sign of Figtree is its designer’s at every weight', async () => {
  const merged = await readFile(join(fonts, 'figtree.woff2'));
  const source = '@fontsource-variable/figtree/files/figtree-latin-ext-wght-normal.woff2';
  const original = await readFile(fileURLToPath(import.meta.resolve(source)));
  const rupee = async (file: Buffer, wght: number): Promise<Sfnt> =>
    readSfnt(
      await subsetFont(file, '₹', {
        targetFormat: 'sfnt',
        keepFeatures: [],
        noHinting: true,
        variationAxes: { wght },
      }),
    );
  /** Advance, number of contours and bounding box. */
  const figures = (font: Sfnt): number[] => {
    const start = 2 * table(font, 'loca').readUInt16BE(2);
    const outline = [0, 2, 4, 6, 8].map((at) => table(font, 'glyf').readInt16BE(start + at));
    return [table(font, 'hmtx').readUInt16BE(4), ...outline];
  };
  for (const wght of [400, 550, 700, 800]) {
    const [ours, theirs] = [await rupee(merged, wght), await rupee(original, wght)];
    for (const [index, edge] of figures(ours).entries()) {
      expect(Math.abs(edge - (figures(theirs)[index] ?? 0)), `at ${wght}`).toBeLessThanOrEqual(1);
    }
  }
});
