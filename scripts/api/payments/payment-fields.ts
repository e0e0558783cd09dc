import type { PaymentField } from '#domain/payment-form.ts';
import { MOBILE_MESSAGES, MOBILE_RULES } from '#domain/phone.ts';

const GSTIN = '^[0-9]{2}[A-Za-z]{5}[0-9]{4}[A-Za-z][1-9A-Za-z][Zz][0-9A-Za-z]$';

/** The defaults of a field. */
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
  description: 'UPI is free of charge. Cards and net banking open a secure page.',
};

const OTHER_FIELDS: readonly PaymentField[] = [
  {
    ...BLANK,
    name: 'updates',
    label: 'Tell me about this payment',
    type: 'checkbox',
    defaultValue: 'false',
    inline: true,
  },
  {
    ...BLANK,
    name: 'updatesEmail',
    label: 'Email for the receipt',
    type: 'email',
    placeholder: 'you@example.com',
    rules: { required: true, maxLength: 254 },
    rulesMessages: ['Enter the email for the receipt', 'This email is too long'],
    showWhenFilled: ['updates'],
  },
  {
    ...BLANK,
    name: 'updatesPhone',
    label: 'Mobile for a text message',
    type: 'tel',
    description: 'Optional.',
    rules: { required: false, ...MOBILE_RULES },
    rulesMessages: MOBILE_MESSAGES,
    inline: true,
    showWhenFilled: ['updates'],
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
  {
    ...BLANK,
    name: 'gstPinCode',
    label: 'PIN code of the registered office',
    type: 'number',
    placeholder: '411001',
    rules: { required: true, minLength: 6, maxLength: 6, pattern: '^[1-9][0-9]{5}$' },
    rulesMessages: [
      'Enter the PIN code',
      'A PIN code has 6 digits',
      'A PIN code has 6 digits',
      'A PIN code does not start with 0',
    ],
    inline: true,
    showWhenFilled: ['business'],
  },
  {
    ...BLANK,
    name: 'handover',
    label: 'Hand over only with a PIN',
    type: 'checkbox',
    defaultValue: 'false',
    inline: true,
  },
  {
    ...BLANK,
    name: 'handoverPin',
    label: 'Delivery PIN',
    type: 'password',
    description: 'The courier asks for it at the door. 4 to 6 digits.',
    rules: { required: true, minLength: 4, maxLength: 6, pattern: '^[0-9]{4,6}$' },
    rulesMessages: [
      'Choose a delivery PIN',
      'Use at least 4 digits',
      'Use no more than 6 digits',
      'Use digits only',
    ],
    showWhenFilled: ['handover'],
  },
  {
    ...BLANK,
    name: 'note',
    label: 'Note to the courier',
    type: 'textarea',
    placeholder: 'Ring twice, leave with the guard …',
    rules: { required: false, maxLength: 200 },
    rulesMessages: ['', 'Use no more than 200 characters'],
    showWhenFilled: ['handover'],
  },
];

/** The payment form (spec 3). It has every type of field, and its defaults can be submitted as they are. */
export const paymentFields = (ways: readonly { readonly option: string }[]): readonly PaymentField[] => [
  { ...METHOD_FIELD, options: ways.map(({ option }) => option), defaultValue: ways[0]?.option ?? '' },
  ...OTHER_FIELDS,
];
