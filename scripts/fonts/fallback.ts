import { create, type Font } from 'fontkitten';

/** Prose of the shop, by which letters are weighed. */
const SAMPLE =
  'Seasonal fruit and everyday goods, with free shipping on every order across India. Keep at room temperature until ' +
  'the skin gives gently to your thumb, then chill for an hour before you slice. Alphonso Mango, box of 6, ₹899. ' +
  'Return or cancel within 7 days. Product ID a1b2c3d4. Mahabaleshwar Strawberries, Nagpur Oranges, Black Grapes.';

/** Average advance of a character of the sample in Arial, in em. Liberation Sans has the same widths. */
export const ARIAL = { regular: 0.4491, bold: 0.4819 } as const;

const percent = (ratio: number): string => `${Number((100 * ratio).toFixed(2))}%`;

/** In em. A character comes from the first font that has it. */
const averageAdvance = (fonts: readonly Font[]): number => {
  const advances = [...SAMPLE].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    const font = fonts.find((each) => each.hasGlyphForCodePoint(code));
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
 * Descriptors that make a face of `arialAdvance` as wide and as high as the fonts in these files, which share one
 * design and come in the order in which they are asked for a character.
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
