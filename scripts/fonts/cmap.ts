const FORMAT = 4;
const END = 0xffff;

/** Character to glyph number, of a cmap table whose first subtable has format 4. */
export const readCmap = (cmap: Buffer): Map<number, number> => {
  const start = cmap.readUInt32BE(8);
  if (cmap.readUInt16BE(start) !== FORMAT) throw new Error('Only cmap format 4 is read');
  const doubled = cmap.readUInt16BE(start + 6);
  const glyphs = new Map<number, number>();
  for (let at = start + 14; at < start + 14 + doubled; at += 2) {
    const last = cmap.readUInt16BE(at);
    const first = cmap.readUInt16BE(at + doubled + 2);
    const delta = cmap.readUInt16BE(at + 2 * doubled + 2);
    const rangeAt = at + 3 * doubled + 2;
    const range = cmap.readUInt16BE(rangeAt);
    for (let character = first; character <= last && character !== END; character += 1) {
      const listed = range === 0 ? character : cmap.readUInt16BE(rangeAt + range + 2 * (character - first));
      if (range === 0 || listed !== 0) glyphs.set(character, (listed + delta) & END);
    }
  }
  return glyphs;
};

/** A cmap table (Unicode and Windows share one subtable) with a segment for each run of neighbours. */
export const writeCmap = (glyphs: ReadonlyMap<number, number>): Buffer => {
  const segments: { first: number; last: number; delta: number }[] = [];
  for (const [character, glyph] of [...glyphs].sort(([one], [other]) => one - other)) {
    const delta = (glyph - character) & END;
    const run = segments.at(-1);
    if (run?.last === character - 1 && run.delta === delta) run.last = character;
    else segments.push({ first: character, last: character, delta });
  }
  segments.push({ first: END, last: END, delta: 1 });
  const power = 2 ** Math.floor(Math.log2(segments.length));
  const words = [
    ...[0, 2],
    ...[0, 3, 0, 20],
    ...[3, 1, 0, 20],
    ...[FORMAT, 16 + 8 * segments.length, 0, 2 * segments.length],
    ...[2 * power, Math.log2(power), 2 * (segments.length - power)],
    ...segments.map(({ last }) => last),
    0,
    ...segments.map(({ first }) => first),
    ...segments.map(({ delta }) => delta),
    ...segments.map(() => 0),
  ];
  const data = Buffer.alloc(2 * words.length);
  words.forEach((word, index) => {
    data.writeUInt16BE(word, 2 * index);
  });
  return data;
};
