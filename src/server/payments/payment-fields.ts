import { type PaymentField, type PaymentValues, visibleFields } from '#domain/payment-form.ts';
import { isPlainText } from '#domain/text.ts';

const GSTIN = '^[0-9]{2}[A-Za-z]{5}[0-9]{4}[A-Za-z][1-9A-Za-z][Zz][0-9A-Za-z]$';

export const BLANK = {
  placeholder: '',
  description: '',
  options: [],
  inline: false,
  mask: '',
  rules: { required: false },
  rulesMessages: [],
  defaultValue: '',
  showWhenFilled: [],
} as const;

const METHOD_FIELD: PaymentField = {
  ...BLANK,
  name: 'method',
  label: 'Pay with',
  type: 'select',
  rules: { required: true },
  rulesMessages: ['Choose how to pay'],
  description: 'UPI is free of charge. Cards and net banking open the secure page of a payment provider.',
};

/** For the parcel and the invoice. `orderExtras` reads them. */
const OTHER_FIELDS: readonly PaymentField[] = [
  {
    ...BLANK,
    name: 'note',
    label: 'Note to the courier',
    type: 'text',
    placeholder: 'Ring twice, leave with the guard …',
    description: 'Optional. It is printed on the parcel.',
    rules: { required: false, maxLength: 200 },
    rulesMessages: ['', 'Use no more than 200 characters'],
  },
  {
    ...BLANK,
    name: 'business',
    label: 'I need a GST invoice',
    type: 'checkbox',
    defaultValue: 'false',
    inline: true,
  },
  {
    ...BLANK,
    name: 'gstin',
    label: 'GSTIN',
    type: 'text',
    placeholder: '27 ABCDE 1234 F 1Z5',
    mask: '99 aaaaa 9999 a ***',
    rules: { required: true, minLength: 15, maxLength: 15, pattern: GSTIN },
    rulesMessages: [
      'Enter the GSTIN',
      'A GSTIN has 15 characters',
      'A GSTIN has 15 characters',
      'Check the GSTIN, such as 27ABCDE1234F1Z5',
    ],
    showWhenFilled: ['business'],
  },
];

/** The payment form. Its defaults can be submitted as they are. */
export const paymentFields = (methods: readonly { readonly option: string }[]): readonly PaymentField[] => [
  { ...METHOD_FIELD, options: methods.map(({ option }) => option), defaultValue: methods[0]?.option ?? '' },
  ...OTHER_FIELDS,
];

/** The fields besides the payment method, as stored with the order; null if not entered. */
export interface OrderExtras {
  readonly courierNote: string | null;
  readonly gstin: string | null;
}

/** Call `validatePaymentForm` first. @returns undefined if a text has unprintable characters */
export function orderExtras(fields: readonly PaymentField[], values: PaymentValues): OrderExtras | undefined {
  const names = new Set(visibleFields(fields, values).map(({ name }) => name));
  const typed = (name: string) => (names.has(name) && values.get(name)?.trim()) || null;
  const courierNote = typed('note');
  return courierNote === null || isPlainText(courierNote)
    ? { courierNote, gstin: typed('gstin')?.toUpperCase() ?? null }
    : undefined;
}
