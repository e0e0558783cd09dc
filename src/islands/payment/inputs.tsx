import type { ComponentProps } from 'react';
import { type FieldType, isPhoneField } from '#domain/payment-form.ts';
import { shownValue } from '#domain/payment-values.ts';
import { PHONE_PLACEHOLDER } from '#domain/phone.ts';
import { Field } from '#islands/ui/Field.tsx';
import { PasswordField } from '#islands/ui/PasswordField.tsx';
import { autocompleteOf } from './autocomplete.ts';
import { controlOf, frameOf, type PaymentFieldProps } from './payment-field-props.ts';
import { useCaret } from './use-caret.ts';

const MODES: Partial<Record<FieldType, ComponentProps<'input'>['inputMode']>> = {
  email: 'email',
  number: 'decimal',
};

/** Every type whose control is an `<input>` of that type. With a mask it becomes a FormattedField. */
export const PlainField = (props: PaymentFieldProps) => (
  <Field
    {...frameOf(props)}
    {...controlOf(props)}
    type={props.field.type}
    inputMode={MODES[props.field.type]}
    step={props.field.type === 'number' ? 'any' : undefined}
    autoComplete={autocompleteOf(props.field)}
  />
);

/** A phone or a masked field. Its text is formatted while it is typed. */
export function FormattedField(props: PaymentFieldProps) {
  const { field, value } = props;
  const { ref, note } = useCaret();
  const isPhone = isPhoneField(field);
  const control = controlOf(props);
  const maskMode = /[a*]/.test(field.mask) ? 'text' : 'numeric';
  return (
    <Field
      {...frameOf(props)}
      {...control}
      ref={ref}
      type={isPhone ? 'tel' : 'text'}
      inputMode={isPhone ? 'tel' : maskMode}
      placeholder={field.placeholder || (isPhone ? PHONE_PLACEHOLDER : '')}
      autoComplete={autocompleteOf(field)}
      value={shownValue(field, value)}
      onText={(text) => {
        note();
        control.onText(text);
      }}
    />
  );
}

/** The type password. Browsers should not store the text, because it is not the shop's password. */
export const SecretField = (props: PaymentFieldProps) => (
  <PasswordField
    {...frameOf(props)}
    {...controlOf(props)}
    autoComplete="off"
    noun={props.field.label.toLowerCase()}
  />
);
