import { useLayoutEffect, useRef } from 'react';

const isTyped = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** Where the caret stands in `shown` after as many letters and digits as stood before it in what was typed. */
function caretAfter(shown: string, typed: number): number {
  let position = 0;
  for (let left = typed; position < shown.length && left > 0; position += 1) {
    if (isTyped(shown[position] ?? '')) left -= 1;
  }
  return position;
}

/** Keeps the caret where the shopper edits, while the text around it is formatted. */
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
  /** Called with every input event, before its text is formatted. At the end the browser is right by itself. */
  const note = (): void => {
    const { value = '', selectionStart } = ref.current ?? {};
    const caret = selectionStart ?? value.length;
    typedBefore.current =
      caret === value.length ? undefined : [...value.slice(0, caret)].filter(isTyped).length;
  };
  return { ref, note };
}
