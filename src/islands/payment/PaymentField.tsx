import type { ReactNode } from 'react';
import { type FieldType, isPhoneField } from '#domain/payment-form.ts';
import { CheckField, ChoiceField, LongField } from './choices.tsx';
import { FormattedField, HiddenField, PlainField } from './inputs.tsx';
import type { PaymentFieldProps } from './payment-field-props.ts';

const CONTROLS: Record<FieldType, (props: PaymentFieldProps) => ReactNode> = {
  text: PlainField,
  email: PlainField,
  number: PlainField,
  tel: FormattedField,
  password: HiddenField,
  textarea: LongField,
  select: ChoiceField,
  checkbox: CheckField,
};

/** One field as the server defines it (spec 3, payment field definition). */
export function PaymentField(props: PaymentFieldProps) {
  const { field } = props;
  const plain = CONTROLS[field.type];
  const isFormatted = isPhoneField(field) || (field.mask !== '' && plain === PlainField);
  const Control = isFormatted ? FormattedField : plain;
  return <Control {...props} />;
}
