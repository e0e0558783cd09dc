import { toAsciiDigits } from './digits.ts';

const PIN = /^[1-9]\d{5}$/;

/** Six digits however they were written ('411 001', '४११००१'); any other text stays as it is. */
export function tidyPin(text: string): string {
  const digits = toAsciiDigits(text).replace(/[\s-]/g, '');
  return PIN.test(digits) ? digits : text;
}

export const isPin = (text: string): boolean => PIN.test(tidyPin(text));

/** The states a PIN code may be in, by the longest entry that fits; none for what is no PIN code. */
export function statesOfPin(
  text: string,
  states: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const pin = tidyPin(text);
  if (!PIN.test(pin)) return [];
  return states[pin.slice(0, 3)] ?? states[pin.slice(0, 2)] ?? [];
}

/** Which of them to suggest beside what is typed: none once one of them is there. */
export function suggestedStates(states: readonly string[], typed: string): readonly string[] {
  const plain = (text: string): string => text.trim().toLowerCase().replaceAll('&', 'and');
  return states.some((state) => plain(state) === plain(typed)) ? [] : states;
}
