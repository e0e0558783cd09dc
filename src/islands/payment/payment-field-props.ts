import type { PaymentField } from '#domain/payment-form.ts';
import { changePaymentField } from '#stores/payment/payment-form.ts';

export interface PaymentFieldProps {
  readonly id: string;
  readonly field: PaymentField;
  readonly value: string;
  readonly error: string | undefined;
  readonly className: string;
}

/** What every field has around its control. */
export const frameOf = ({ id, field, error, className }: PaymentFieldProps) => ({
  id,
  label: field.label,
  hint: field.description,
  error,
  className,
});

/** What every control that holds a text has. */
export const controlOf = ({ field, value }: PaymentFieldProps) => ({
  name: field.name,
  placeholder: field.placeholder,
  required: field.rules.required,
  value,
  onText: (text: string) => changePaymentField(field.name, text),
});
