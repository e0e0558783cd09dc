import { applyMask, unmask } from './mask.ts';
import {
  isFieldEmpty,
  isPhoneField,
  type PaymentField,
  type PaymentValues,
  visibleFields,
} from './payment-form.ts';
import { formatPhone, isPhoneEmpty } from './phone.ts';

/** Turns typed or pasted text into the value of a field: phones with +91, masked values without their literals. */
export function normaliseInput(field: PaymentField, typed: string, previous = ''): string {
  if (field.type === 'checkbox') return typed === 'true' ? 'true' : 'false';
  if (field.type === 'select') return field.options.includes(typed) ? typed : '';
  if (isPhoneField(field)) return formatPhone(typed, field.rules, previous);
  return field.mask ? unmask(field.mask, typed) : typed;
}

/** The text in which a field shows its value. */
export const shownValue = ({ mask, ...field }: PaymentField, value: string): string =>
  mask && !isPhoneField(field) ? applyMask(mask, value) : value;

/** The values that the form starts with: the defaults, and +91 in a required empty phone field. */
export function initialValues(fields: readonly PaymentField[]): Map<string, string> {
  const initial = (field: PaymentField): string =>
    isPhoneField(field) && field.defaultValue === '' && !field.rules.required
      ? ''
      : normaliseInput(field, field.defaultValue);
  return new Map(fields.map((field) => [field.name, initial(field)]));
}

/** The visible required fields that are empty. The form may be submitted when there are none. */
export const emptyRequired = (fields: readonly PaymentField[], values: PaymentValues): PaymentField[] =>
  visibleFields(fields, values).filter(
    (field) => field.rules.required && isFieldEmpty(field, values.get(field.name) ?? ''),
  );

/** The values to submit, of visible fields only. Emails are trimmed, and a bare +91 becomes ''. */
export function submittedFields(
  fields: readonly PaymentField[],
  values: PaymentValues,
): Record<string, string> {
  return Object.fromEntries(
    visibleFields(fields, values).map((field) => {
      const value = values.get(field.name) ?? '';
      if (isPhoneField(field) && isPhoneEmpty(value)) return [field.name, ''];
      return [field.name, field.type === 'email' ? value.trim() : value];
    }),
  );
}
