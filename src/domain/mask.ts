/** Masks of the payment form: 9 a digit, a a letter, * any; the rest is literal (resolutions 36). */
const SLOTS: ReadonlyMap<string, RegExp> = new Map([
  ['9', /\d/],
  ['a', /\p{L}/u],
  ['*', /\S/],
]);

/** The raw characters as they are shown, in their slots, literals up to the last of them. */
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

/** The characters that fill the slots of the mask, in what is typed, pasted or shown; its literals left out. */
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
