import type { Language } from '#domain/language.ts';
import type { PaymentField } from '#domain/payment-form.ts';
import { PHONE_PLACEHOLDER } from '#domain/phone.ts';
import { BLANK, fieldOf, ORDER_EXTRAS, type OrderExtra } from '#server/orders/order-extras.ts';
import type { RefusalCause } from './providers/call-provider.ts';
import type { PaymentProvider } from './providers/provider.ts';

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

/** The name of the field that asks for a mobile number, if a provider cannot take the order's. */
export const PHONE = 'phone';

const PHONE_TEXTS = {
  en: {
    label: 'Mobile number for the payment',
    rulesMessages: ['Enter a mobile number of ten digits'],
    description:
      'The payment provider needs an Indian mobile number. The one of your address is none that it takes.',
  },
  hi: {
    label: 'भुगतान के लिए मोबाइल नंबर',
    rulesMessages: ['दस अंकों का मोबाइल नंबर लिखें'],
    description: 'भुगतान सेवा को भारत का मोबाइल नंबर चाहिए। आपके पते का नंबर वह नहीं लेती।',
  },
} as const satisfies Record<Language, object>;

/** Why a payment cannot be started, and what the shopper can do. */
export const START_REFUSALS = {
  en: {
    other:
      'This payment method does not answer at the moment. Please choose another, or try again in a minute.',
    amount:
      'This payment method does not take this amount. Please choose another, or order more or less at once.',
    phone:
      'The payment provider does not take this phone number. Please enter a mobile number of ten digits, or choose another payment method.',
    currency: 'This payment method does not take Indian rupees. Please choose another.',
  },
  hi: {
    other: 'भुगतान का यह तरीका अभी जवाब नहीं दे रहा है। कोई दूसरा तरीका चुनें, या एक मिनट बाद फिर कोशिश करें।',
    amount: 'इस तरीके से इतनी रकम का भुगतान नहीं हो सकता। कोई दूसरा तरीका चुनें, या कम या ज़्यादा सामान मँगाएँ।',
    phone: 'भुगतान सेवा यह फ़ोन नंबर नहीं लेती। दस अंकों का मोबाइल नंबर लिखें, या भुगतान का कोई दूसरा तरीका चुनें।',
    currency: 'भुगतान का यह तरीका भारतीय रुपये नहीं लेता। कोई दूसरा तरीका चुनें।',
  },
} as const satisfies Record<Language, Record<RefusalCause, string>>;

/** The payment form. Its defaults can be submitted as they are. @param isPhoneAsked see `PHONE` */
export const paymentFields = (
  methods: readonly { readonly option: string; readonly provider?: Pick<PaymentProvider, 'needsPhone'> }[],
  language: Language,
  isPhoneAsked = false,
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
  ...(isPhoneAsked
    ? [
        {
          ...BLANK,
          ...PHONE_TEXTS[language],
          name: PHONE,
          type: 'tel',
          placeholder: PHONE_PLACEHOLDER,
          rules: { required: methods.every(({ provider }) => provider?.needsPhone) },
        } as const,
      ]
    : []),
  ...ORDER_EXTRAS.flatMap((extra) => fieldsOf(extra, language)),
];
