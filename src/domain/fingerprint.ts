const FNV_PRIME = 0x01000193;
const FNV_OFFSET = 0x811c9dc5;

/** A hash of eight hex digits (FNV-1a of the JSON). Two values have the same hash in one of four billion cases. */
export function fingerprint(value: unknown): string {
  let hash = FNV_OFFSET;
  for (const character of JSON.stringify(value)) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
