import { readCmap, writeCmap } from './cmap.ts';
import { type Sfnt, table } from './sfnt.ts';

const OWN_PEAK = 0x8000;
const TUPLE_COUNT = 0x0fff;

const evened = (data: Buffer): Buffer => Buffer.concat([data, Buffer.alloc(data.length & 1)]);

const offsetsOf = (data: Buffer, start: number, count: number, long: boolean): number[] =>
  Array.from({ length: count + 1 }, (_, index) =>
    long ? data.readUInt32BE(start + 4 * index) : 2 * data.readUInt16BE(start + 2 * index),
  );

const longOffsets = (offsets: readonly number[]): Buffer => {
  const data = Buffer.alloc(4 * offsets.length);
  offsets.forEach((offset, index) => {
    data.writeUInt32BE(offset, 4 * index);
  });
  return data;
};

const glyphCount = (font: Sfnt): number => table(font, 'maxp').readUInt16BE(4);

const glyphOffsets = (font: Sfnt): number[] =>
  offsetsOf(table(font, 'loca'), 0, glyphCount(font), table(font, 'head').readInt16BE(50) === 1);

const readVariations = (font: Sfnt) => {
  const gvar = table(font, 'gvar');
  const start = gvar.readUInt32BE(16);
  const long = (gvar.readUInt16BE(14) & 1) === 1;
  const shared = gvar.readUInt32BE(8);
  return {
    header: gvar.subarray(0, 20),
    tuples: gvar.subarray(shared, shared + 2 * gvar.readUInt16BE(4) * gvar.readUInt16BE(6)),
    offsets: offsetsOf(gvar, 20, glyphCount(font), long),
    data: gvar.subarray(start),
  };
};

const addVariation = (font: Sfnt, donor: Sfnt, donorGlyph: number): Buffer => {
  const own = readVariations(font);
  const other = readVariations(donor);
  const added = evened(other.data.subarray(other.offsets[donorGlyph], other.offsets[donorGlyph + 1]));
  const tuples = added.readUInt16BE(0) & TUPLE_COUNT;
  if (tuples !== 1 || (added.readUInt16BE(6) & OWN_PEAK) === 0) {
    throw new Error('The added glyph varies by tuples that only its own font has');
  }
  const data = evened(own.data.subarray(0, own.offsets.at(-1)));
  const offsets = longOffsets([...own.offsets, data.length + added.length]);
  const header = Buffer.from(own.header);
  header.writeUInt32BE(header.length + offsets.length, 8);
  header.writeUInt16BE(own.offsets.length, 12);
  header.writeUInt16BE(1, 14);
  header.writeUInt32BE(header.length + offsets.length + own.tuples.length, 16);
  return Buffer.concat([header, offsets, own.tuples, data, added]);
};

/**
 * Adds one glyph of `donor` to `font`: the rupee sign of a family stands in another file than its letters, and a price
 * should not cost a second request. Both come from one design, so that units, axes and metrics agree. Advances of a
 * variable font are read from `gvar` afterwards: `HVAR`, which numbers glyphs too, is left out.
 */
export const addGlyph = (font: Sfnt, donor: Sfnt, character: number): Sfnt => {
  const donorGlyph = readCmap(table(donor, 'cmap')).get(character);
  if (donorGlyph === undefined) throw new Error(`No U+${character.toString(16)} in the second font`);
  const merged: Sfnt = new Map([...font].map(([tag, data]) => [tag, Buffer.from(data)]));
  const count = glyphCount(font);
  const donorOffsets = glyphOffsets(donor);
  const outline = table(donor, 'glyf').subarray(donorOffsets[donorGlyph], donorOffsets[donorGlyph + 1]);
  if (outline.readInt16BE(0) < 0) throw new Error('The added glyph is made of others');
  if (table(font, 'hhea').readUInt16BE(34) !== count)
    throw new Error('Some glyphs have no advance of their own');

  const glyf = evened(table(font, 'glyf').subarray(0, glyphOffsets(font).at(-1)));
  merged.set('glyf', Buffer.concat([glyf, outline]));
  merged.set(
    'loca',
    longOffsets([...glyphOffsets(font).slice(0, -1), glyf.length, glyf.length + outline.length]),
  );
  const metrics = table(donor, 'hmtx').subarray(4 * donorGlyph, 4 * donorGlyph + 4);
  merged.set('hmtx', Buffer.concat([table(font, 'hmtx').subarray(0, 4 * count), metrics]));
  merged.set('cmap', writeCmap(new Map([...readCmap(table(font, 'cmap')), [character, count]])));
  table(merged, 'head').writeInt16BE(1, 50);
  table(merged, 'hhea').writeUInt16BE(count + 1, 34);
  const limits = table(merged, 'maxp');
  const donorLimits = table(donor, 'maxp');
  limits.writeUInt16BE(count + 1, 4);
  for (const at of [6, 8])
    limits.writeUInt16BE(Math.max(limits.readUInt16BE(at), donorLimits.readUInt16BE(at)), at);
  if (font.has('gvar')) merged.set('gvar', addVariation(font, donor, donorGlyph));
  merged.delete('HVAR');
  return merged;
};
