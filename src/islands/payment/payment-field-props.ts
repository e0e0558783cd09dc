import type { PaymentField } from '#domain/payment-form.ts';
import { changePaymentField } from '#stores/payment/payment-form.ts';

export interface PaymentFieldProps {
  readonly id: string;
  readonly field: PaymentField;
  readonly value: string;
  readonly error: string | undefined;
  readonly className: string;
}

/** The props of the frame around a field's control. */
export const frameOf = ({ id, field, error, className }: PaymentFieldProps) => ({
  id,
  label: field.label,
  hint: field.description,
  error,
  className,
});

/** The props of every control that holds a text. */
export const controlOf = ({ field, value }: PaymentFieldProps) => ({
  name: field.name,
  placeholder: field.placeholder,
  required: field.rules.required,
  value,
  onText: (text: string) => changePaymentField(field.name, text),
});
