import { create, type Font } from 'fontkitten';

/** Text of the shop, from which the average width of a character is computed. */
const SAMPLE =
  'Seasonal fruit and everyday goods, with free shipping on every order across India. Keep at room temperature until ' +
  'the skin gives gently to your thumb, then chill for an hour before you slice. Alphonso Mango, box of 6, ₹899. ' +
  'Return or cancel within 7 days. Product ID a1b2c3d4. Mahabaleshwar Strawberries, Nagpur Oranges, Black Grapes.';

/** The average advance width of the sample's characters in Arial, in em. Liberation Sans has the same widths. */
export const ARIAL = { regular: 0.4491, bold: 0.4819 } as const;

const percent = (ratio: number): string => `${Number((100 * ratio).toFixed(2))}%`;

/** The average advance width of the sample's characters, in em. Each comes from the first font that has it. */
const averageAdvance = (fonts: readonly Font[]): number => {
  const advances = [...SAMPLE].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(code));
    if (!font) throw new Error(`No font has ${character}`);
    return font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm;
  });
  return advances.reduce((sum, advance) => sum + advance, 0) / advances.length;
};

const parse = (file: Buffer): Font => {
  const font = create(file);
  if (font.isCollection) throw new Error('One file holds several fonts');
  return font;
};

/**
 * The `@font-face` descriptors that make a fallback font with the average width `arialAdvance` as wide and as high as
 * the fonts in these files. The files are subsets of one design; a character comes from the first file that has it.
 */
export const fallbackMetrics = (files: readonly Buffer[], arialAdvance: number): string[] => {
  const fonts = files.map(parse);
  const [letters] = fonts;
  if (!letters) throw new Error('There is no font to measure');
  const { unitsPerEm, ascent, descent, lineGap } = letters;
  const size = averageAdvance(fonts) / arialAdvance;
  const em = size * unitsPerEm;
  return [
    `size-adjust: ${percent(size)};`,
    `ascent-override: ${percent(ascent / em)};`,
    `descent-override: ${percent(-descent / em)};`,
    `line-gap-override: ${percent(lineGap / em)};`,
  ];
};
