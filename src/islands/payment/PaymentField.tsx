import type { ComponentProps, ReactNode } from 'react';
import { type PaymentField as FieldDefinition, type FieldType, isPhoneField } from '#domain/payment-form.ts';
import { PHONE_PLACEHOLDER } from '#domain/phone.ts';
import { Field } from '#islands/ui/Field.tsx';
import { PasswordField } from '#islands/ui/PasswordField.tsx';
import {
  CheckField,
  ChoiceField,
  controlOf,
  frameOf,
  LongField,
  type PaymentFieldProps,
} from './choices.tsx';

/** Autofill tokens by the name or label of a field, because the server sends none. */
const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/card.?(?:number|no)/i, 'cc-number'],
  [/expir/i, 'cc-exp'],
  [/cvv|cvc/i, 'cc-csc'],
  [/card.?holder|name.?on.?card/i, 'cc-name'],
  [/e-?mail/i, 'email'],
  [/phone|mobile/i, 'tel'],
  [/pin.?code|postal/i, 'postal-code'],
  [/otp|one.?time/i, 'one-time-code'],
  [/full.?name|^name$/i, 'name'],
];

function autocompleteOf({ name, label, type }: FieldDefinition): string {
  if (type === 'email') return 'email';
  if (type === 'tel') return 'tel';
  return TOKENS.find(([pattern]) => pattern.test(name) || pattern.test(label))?.[1] ?? 'off';
}

const MODES: Partial<Record<FieldType, ComponentProps<'input'>['inputMode']>> = {
  email: 'email',
  number: 'decimal',
};

/** A mask applies only to single-line texts that are not secret. */
const TextField = (props: PaymentFieldProps) => {
  const { field } = props;
  const { type, mask, placeholder } = field;
  const isPhone = isPhoneField(field);
  const maskMode = /[a*]/.test(mask) ? 'text' : 'numeric';
  return (
    <Field
      {...frameOf(props)}
      {...controlOf(props)}
      type={isPhone ? 'tel' : mask ? 'text' : type}
      inputMode={isPhone ? 'tel' : mask ? maskMode : MODES[type]}
      step={type === 'number' && !isPhone && !mask ? 'any' : undefined}
      placeholder={placeholder || (isPhone ? PHONE_PLACEHOLDER : '')}
      autoComplete={autocompleteOf(field)}
    />
  );
};

/** Browsers should not store the text as the shop's password. They obey the tokens of cards and codes, but not 'off'. */
const SecretField = (props: PaymentFieldProps) => (
  <PasswordField
    {...frameOf(props)}
    {...controlOf(props)}
    autoComplete={autocompleteOf(props.field)}
    noun={props.field.label.toLowerCase()}
  />
);

const CONTROLS: Record<FieldType, (props: PaymentFieldProps) => ReactNode> = {
  text: TextField,
  email: TextField,
  number: TextField,
  tel: TextField,
  password: SecretField,
  textarea: LongField,
  select: ChoiceField,
  checkbox: CheckField,
};

export function PaymentField(props: PaymentFieldProps) {
  const Control = CONTROLS[props.field.type];
  return <Control {...props} />;
}
