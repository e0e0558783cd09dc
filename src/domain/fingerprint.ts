const PRIME = 0x01000193;
const OFFSET = 0x811c9dc5;

/** A hash of eight hex digits (FNV-1a of the JSON). Two different values share one in one of four billion cases. */
export function fingerprint(value: unknown): string {
  let hash = OFFSET;
  for (const character of JSON.stringify(value)) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), PRIME);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
