import type { Language } from '#domain/language.ts';
import type { PaymentField } from '#domain/payment-form.ts';
import { BLANK, fieldOf, ORDER_EXTRAS, type OrderExtra } from './order-extras.ts';

function fieldsOf(extra: OrderExtra, language: Language): PaymentField[] {
  const field = fieldOf(extra, language);
  const { askedBy } = extra;
  if (!askedBy) return [field];
  const box = { name: askedBy.name, label: askedBy.label[language], type: 'checkbox' } as const;
  return [{ ...BLANK, ...box, defaultValue: 'false', inline: true }, field];
}

const METHOD_TEXTS = {
  en: {
    label: 'Pay with',
    rulesMessages: ['Choose how to pay'],
    description: 'UPI is free of charge. Cards and net banking open the secure page of a payment provider.',
  },
  hi: {
    label: 'भुगतान का तरीका',
    rulesMessages: ['चुनें कि भुगतान कैसे करना है'],
    description: 'UPI पर कोई शुल्क नहीं है। कार्ड और नेट बैंकिंग से भुगतान सेवा का सुरक्षित पेज खुलता है।',
  },
} as const satisfies Record<Language, object>;

/** The payment form. Its defaults can be submitted as they are. */
export const paymentFields = (
  methods: readonly { readonly option: string }[],
  language: Language,
): readonly PaymentField[] => [
  {
    ...BLANK,
    ...METHOD_TEXTS[language],
    name: 'method',
    type: 'select',
    rules: { required: true },
    options: methods.map(({ option }) => option),
    defaultValue: methods[0]?.option ?? '',
  },
  ...ORDER_EXTRAS.flatMap((extra) => fieldsOf(extra, language)),
];
