import {
  isFieldEmpty,
  isPhoneField,
  type PaymentField,
  type PaymentValues,
  tidyValue,
  visibleFields,
} from './payment-form.ts';
import { formatPhone, isPhoneEmpty } from './phone.ts';
import { tidyCode } from './text.ts';

/** The slots of a mask: `9` is a digit, `a` a letter, `*` any character. Everything else in a mask is literal. */
const SLOTS: ReadonlyMap<string, RegExp> = new Map([
  ['9', /\d/],
  ['a', /\p{L}/u],
  ['*', /\S/],
]);

/** Fills the slots of the mask. Leaves out the literals after the last character. */
function applyMask(mask: string, raw: string): string {
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

/** Extracts the characters that fill the slots from a typed, pasted or masked text. */
function unmask(mask: string, input: string): string {
  const slots = [...mask];
  let raw = '';
  let position = 0;
  for (const character of input) {
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

/** Turns typed or pasted text into the field's value: phones with +91, masked values without literals. */
export function normaliseInput(field: PaymentField, input: string, previous = ''): string {
  if (field.type === 'checkbox') return input === 'true' ? 'true' : 'false';
  if (field.type === 'select') return field.options.includes(input) ? input : '';
  if (isPhoneField(field)) return formatPhone(input, field.rules, previous);
  return field.mask ? unmask(field.mask, tidyCode(input)) : input;
}

export const shownValue = ({ mask, ...field }: PaymentField, value: string): string =>
  mask && !isPhoneField(field) ? applyMask(mask, value) : value;

/** Returns the defaults, and +91 for a required empty phone field. */
export function initialValues(fields: readonly PaymentField[]): Map<string, string> {
  const initial = (field: PaymentField): string =>
    isPhoneField(field) && field.defaultValue === '' && !field.rules.required
      ? ''
      : normaliseInput(field, field.defaultValue);
  return new Map(fields.map((field) => [field.name, initial(field)]));
}

export const emptyRequired = (fields: readonly PaymentField[], values: PaymentValues): PaymentField[] =>
  visibleFields(fields, values).filter(
    (field) => field.rules.required && isFieldEmpty(field, values.get(field.name) ?? ''),
  );

/** Returns the tidied values of the visible fields. A bare +91 becomes ''. */
export function submittedFields(
  fields: readonly PaymentField[],
  values: PaymentValues,
): Record<string, string> {
  return Object.fromEntries(
    visibleFields(fields, values).map((field) => {
      const value = values.get(field.name) ?? '';
      if (isPhoneField(field) && isPhoneEmpty(value)) return [field.name, ''];
      return [field.name, tidyValue(field, value)];
    }),
  );
}
