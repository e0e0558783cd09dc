import { toAsciiDigits } from './text.ts';

const PIN = /^[1-9]\d{5}$/;

/** Turns a PIN code such as '411 001' or '४११००१' into six digits. Returns any other text unchanged. */
export function normalisePin(text: string): string {
  const digits = toAsciiDigits(text).replace(/[\s-]/g, '');
  return PIN.test(digits) ? digits : text;
}

export const isPin = (text: string): boolean => PIN.test(normalisePin(text));

/** Returns the states of a PIN code, by its longest prefix in `states`; empty for any other text. */
export function statesOfPin(
  text: string,
  states: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const pin = normalisePin(text);
  if (!PIN.test(pin)) return [];
  return states[pin.slice(0, 3)] ?? states[pin.slice(0, 2)] ?? [];
}

/** Returns the states to suggest; empty once the typed text is one of them. */
export function suggestedStates(states: readonly string[], typed: string): readonly string[] {
  const plain = (text: string): string => text.trim().toLowerCase().replaceAll('&', 'and');
  return states.some((state) => plain(state) === plain(typed)) ? [] : states;
}
