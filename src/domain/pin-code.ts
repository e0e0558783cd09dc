import { toAsciiDigits } from './text.ts';

const PIN = /^[1-9]\d{5}$/;

/** Turns a PIN code written in another way ('411 001', '४११००१') into six digits. Leaves any other text unchanged. */
export function normalisePin(text: string): string {
  const digits = toAsciiDigits(text).replace(/[\s-]/g, '');
  return PIN.test(digits) ? digits : text;
}

export const isPin = (text: string): boolean => PIN.test(normalisePin(text));

/** The states that a PIN code may be in, by the longest prefix in `states`. Empty for a text that is no PIN code. */
export function statesOfPin(
  text: string,
  states: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const pin = normalisePin(text);
  if (!PIN.test(pin)) return [];
  return states[pin.slice(0, 3)] ?? states[pin.slice(0, 2)] ?? [];
}

/** The states to suggest for what was typed. Empty once the text is one of them. */
export function suggestedStates(states: readonly string[], typed: string): readonly string[] {
  const plain = (text: string): string => text.trim().toLowerCase().replaceAll('&', 'and');
  return states.some((state) => plain(state) === plain(typed)) ? [] : states;
}
