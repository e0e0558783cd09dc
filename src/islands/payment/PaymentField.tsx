import type { ReactNode } from 'react';
import { type FieldType, isPhoneField } from '#domain/payment-form.ts';
import { CheckField, ChoiceField, LongField } from './choices.tsx';
import { FormattedField, PlainField, SecretField } from './inputs.tsx';
import type { PaymentFieldProps } from './payment-field-props.ts';

const CONTROLS: Record<FieldType, (props: PaymentFieldProps) => ReactNode> = {
  text: PlainField,
  email: PlainField,
  number: PlainField,
  tel: FormattedField,
  password: SecretField,
  textarea: LongField,
  select: ChoiceField,
  checkbox: CheckField,
};

/** One field as the server defines it. */
export function PaymentField(props: PaymentFieldProps) {
  const { field } = props;
  // A mask formats only texts of one line that are not secret.
  const isMasked = field.mask !== '' && CONTROLS[field.type] === PlainField;
  const Control = isMasked || isPhoneField(field) ? FormattedField : CONTROLS[field.type];
  return <Control {...props} />;
}
