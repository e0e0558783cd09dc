import { useLayoutEffect, useRef } from 'react';

const isTyped = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** The position in the formatted text after its first `typed` letters and digits. */
function caretAfter(shown: string, typed: number): number {
  let position = 0;
  for (let left = typed; position < shown.length && left > 0; position += 1) {
    if (isTyped(shown[position] ?? '')) left -= 1;
  }
  return position;
}

/** Keeps the caret in its place while the text around it is formatted. */
export function useCaret() {
  const ref = useRef<HTMLInputElement>(null);
  const typedBefore = useRef<number>(undefined);
  useLayoutEffect(() => {
    const input = ref.current;
    if (!input || typedBefore.current === undefined) return;
    const position = caretAfter(input.value, typedBefore.current);
    typedBefore.current = undefined;
    input.setSelectionRange(position, position);
  });
  /** Call it with each input event, before the text is formatted. At the end of the text the browser needs no help. */
  const note = (): void => {
    const { value = '', selectionStart } = ref.current ?? {};
    const caret = selectionStart ?? value.length;
    typedBefore.current =
      caret === value.length ? undefined : [...value.slice(0, caret)].filter(isTyped).length;
  };
  return { ref, note };
}
