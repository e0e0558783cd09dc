import { writeFileSync } from 'node:fs';

/** Bytes of the largest page so far: one for all, where each page had its own for a moment. */
let space = Buffer.allocUnsafeSlow(256 * 1024);

/** Writes a text of bytes (latin1.ts) as a file. */
export function writeLatin1(file: string, text: string): void {
  if (text.length > space.length) space = Buffer.allocUnsafeSlow(2 * text.length);
  space.write(text, 'latin1');
  writeFileSync(file, space.subarray(0, text.length));
}
