/**
 * The slots of a mask of the payment form: `9` takes a digit, `a` a letter, `*` any character. Every other character of
 * a mask is a literal.
 */
const SLOTS: ReadonlyMap<string, RegExp> = new Map([
  ['9', /\d/],
  ['a', /\p{L}/u],
  ['*', /\S/],
]);

/** Puts the raw characters into the slots of the mask. Leaves out the literals after the last character. */
export function applyMask(mask: string, raw: string): string {
  const characters = [...raw];
  let shown = '';
  let index = 0;
  for (const slot of mask) {
    const character = characters[index];
    if (character === undefined) break;
    if (SLOTS.has(slot)) index += 1;
    shown += SLOTS.has(slot) ? character : slot;
  }
  return shown;
}

/** Takes the characters that fill the slots out of a typed, pasted or masked text, without the literals of the mask. */
export function unmask(mask: string, typed: string): string {
  const slots = [...mask];
  let raw = '';
  let position = 0;
  for (const character of typed) {
    while (position < slots.length && !SLOTS.has(slots[position] ?? '') && slots[position] !== character) {
      position += 1;
    }
    const slot = slots[position];
    if (slot === undefined) break;
    const fits = SLOTS.get(slot)?.test(character);
    if (fits) raw += character;
    if (fits !== false) position += 1;
  }
  return raw;
}
