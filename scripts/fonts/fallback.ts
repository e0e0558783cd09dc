import { readCmap } from './cmap.ts';
import { readSfnt, table } from './sfnt.ts';

/** Prose of the shop, by which letters are weighed. */
const SAMPLE =
  'Seasonal fruit and everyday goods, with free shipping on every order across India. Keep at room temperature until ' +
  'the skin gives gently to your thumb, then chill for an hour before you slice. Alphonso Mango, box of 6, ₹899. ' +
  'Return or cancel within 7 days. Product ID a1b2c3d4. Mahabaleshwar Strawberries, Nagpur Oranges, Black Grapes.';

/** Average advance of a character of the sample in Arial, in em. Liberation Sans has the same widths. */
export const ARIAL = { regular: 0.4491, bold: 0.4819 } as const;

const percent = (ratio: number): string => `${Number((100 * ratio).toFixed(2))}%`;

/** In em. */
export const averageAdvance = (file: Buffer): number => {
  const font = readSfnt(file);
  const glyphs = readCmap(table(font, 'cmap'));
  const metrics = table(font, 'hmtx');
  const longMetrics = table(font, 'hhea').readUInt16BE(34);
  const advances = [...SAMPLE].map((character) => {
    const glyph = glyphs.get(character.codePointAt(0) ?? 0) ?? 0;
    return metrics.readUInt16BE(4 * Math.min(glyph, longMetrics - 1));
  });
  return (
    advances.reduce((sum, advance) => sum + advance, 0) /
    advances.length /
    table(font, 'head').readUInt16BE(18)
  );
};

/** Descriptors that make a face of `arialAdvance` as wide and as high as the font in `file`. */
export const fallbackMetrics = (file: Buffer, arialAdvance: number): string[] => {
  const font = readSfnt(file);
  const size = averageAdvance(file) / arialAdvance;
  const em = size * table(font, 'head').readUInt16BE(18);
  const hhea = table(font, 'hhea');
  return [
    `size-adjust: ${percent(size)};`,
    `ascent-override: ${percent(hhea.readInt16BE(4) / em)};`,
    `descent-override: ${percent(-hhea.readInt16BE(6) / em)};`,
    `line-gap-override: ${percent(hhea.readInt16BE(8) / em)};`,
  ];
};
