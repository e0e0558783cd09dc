/** The tables of an OpenType font by their tag. */
export type Sfnt = Map<string, Buffer>;

const HEADER = 12;
const RECORD = 16;
const MAGIC = 0xb1b0afba;

export const readSfnt = (file: Buffer): Sfnt => {
  const tables: Sfnt = new Map();
  for (let index = 0; index < file.readUInt16BE(4); index += 1) {
    const record = HEADER + RECORD * index;
    const start = file.readUInt32BE(record + 8);
    const length = file.readUInt32BE(record + 12);
    tables.set(
      file.toString('latin1', record, record + 4),
      Buffer.from(file.subarray(start, start + length)),
    );
  }
  return tables;
};

/** A table that the font must have; throws where it is missing. */
export const table = (font: Sfnt, tag: string): Buffer => {
  const found = font.get(tag);
  if (!found) throw new Error(`The font has no ${tag} table`);
  return found;
};

const padded = (data: Buffer): Buffer => Buffer.concat([data, Buffer.alloc(-data.length & 3)]);

const checksum = (data: Buffer): number => {
  let sum = 0;
  for (let offset = 0; offset < data.length; offset += 4) sum = (sum + data.readUInt32BE(offset)) >>> 0;
  return sum;
};

export const writeSfnt = (font: Sfnt): Buffer => {
  const tags = [...font.keys()].sort();
  const header = Buffer.alloc(HEADER + RECORD * tags.length);
  const power = 2 ** Math.floor(Math.log2(tags.length));
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(tags.length, 4);
  header.writeUInt16BE(power * RECORD, 6);
  header.writeUInt16BE(Math.log2(power), 8);
  header.writeUInt16BE((tags.length - power) * RECORD, 10);
  table(font, 'head').writeUInt32BE(0, 8);
  let offset = header.length;
  let headAt = 0;
  const bodies = tags.map((tag, index) => {
    const data = table(font, tag);
    const body = padded(data);
    const record = HEADER + RECORD * index;
    header.write(tag, record, 'latin1');
    header.writeUInt32BE(checksum(body), record + 4);
    header.writeUInt32BE(offset, record + 8);
    header.writeUInt32BE(data.length, record + 12);
    if (tag === 'head') headAt = offset;
    offset += body.length;
    return body;
  });
  const file = Buffer.concat([header, ...bodies]);
  file.writeUInt32BE((MAGIC - checksum(file)) >>> 0, headAt + 8);
  return file;
};
