import type { PaymentField } from '#domain/payment-form.ts';
import { BLANK } from '#scripts/api/payments/payment-fields.ts';

/** A field of the payment form with neutral values, so that a test names only what it is about. */
export const aField = (change: Partial<PaymentField> = {}): PaymentField => ({
  ...BLANK,
  name: 'field',
  label: 'Field',
  type: 'text',
  ...change,
});

/** Such fields, each made of a name and its changes. */
export const named = (...fields: [name: string, change?: Partial<PaymentField>][]): PaymentField[] =>
  fields.map(([name, change]) => aField({ name, ...change }));

export const names = (fields: readonly PaymentField[]): string[] => fields.map(({ name }) => name);
export const values = (entries: Record<string, string>): Map<string, string> =>
  new Map(Object.entries(entries));
