const PRIME = 0x01000193;
const OFFSET = 0x811c9dc5;

/** Eight hex digits that differ where the values do, but for one time in four billion (FNV-1a of the JSON). */
export function fingerprint(value: unknown): string {
  let hash = OFFSET;
  for (const character of JSON.stringify(value)) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), PRIME);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
