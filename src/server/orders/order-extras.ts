import { isGstin } from '#domain/gstin.ts';
import type { Language } from '#domain/language.ts';
import {
  type FieldType,
  fieldError,
  type PaymentField,
  type PaymentValues,
  tidyValue,
  validatePaymentForm,
  visibleFields,
} from '#domain/payment-form.ts';
import { isPlainText, tidyCode } from '#domain/text.ts';
import type { Reader, Transaction } from '#server/db/database.ts';
import { prepared, q } from '#server/db/query.ts';

type Texts = Readonly<Record<Language, string>>;

/** The slip is for the courier; the CSV is for the accountant. */
type Audience = 'slip' | 'staff' | 'customer' | 'accountant';

export interface OrderExtra extends Partial<Pick<PaymentField, 'placeholder' | 'options' | 'mask'>> {
  /** In the API and the database. Never change it. */
  readonly name: string;
  readonly label: Texts;
  readonly type: Exclude<FieldType, 'checkbox' | 'password'>;
  readonly description?: Texts;
  readonly rules?: Partial<PaymentField['rules']>;
  /** Errors for `rules`, in the order of PaymentField's `rulesMessages`. Where one is missing, the payment form has its own. */
  readonly messages?: Readonly<Record<Language, readonly string[]>>;
  /** A box of the payment form. The field is shown once it is ticked. */
  readonly askedBy?: { readonly name: string; readonly label: Texts };
  readonly seenBy: readonly Audience[];
  /** Whether it is erased with the address. */
  readonly isErased: boolean;
  /** Whether the invoice must then name the recipient, so that name and address are not erased. */
  readonly namesRecipient?: true;
  readonly normalise?: (text: string) => string;
  /** A check beyond the rules. Returns the error. */
  readonly check?: (text: string) => Texts | undefined;
}

const NOT_AN_OPTION = {
  en: (label: string) => `${label}: choose one of the options`,
  hi: (label: string) => `${label}: सूची में से एक चुनें`,
} as const;

const UNPRINTABLE = {
  en: (label: string) => `${label} has characters that cannot be printed`,
  hi: (label: string) => `${label} में ऐसे अक्षर हैं जो छप नहीं सकते`,
} as const;

const EVERYBODY: readonly Audience[] = ['slip', 'staff', 'customer', 'accountant'];

/**
 * What an order carries besides its goods and its address: the checkout's payment form has a field for each. A new one
 * is a row here: form, checks, storage, the admin's pages, packing slip, CSV, emails, export and erasure of personal
 * data, and the API follow.
 */
export const ORDER_EXTRAS: readonly OrderExtra[] = [
  {
    name: 'note',
    label: { en: 'Note to the courier', hi: 'कूरियर के लिए नोट' },
    type: 'text',
    description: {
      en: 'Optional. It is printed on the parcel.',
      hi: 'ज़रूरी नहीं। यह पार्सल पर छपता है।',
    },
    placeholder: 'Ring twice, leave with the guard …',
    rules: { maxLength: 200 },
    messages: { en: ['', 'Use no more than 200 characters'], hi: ['', '200 से ज़्यादा अक्षर न लिखें'] },
    seenBy: EVERYBODY,
    isErased: true,
  },
  {
    name: 'gstin',
    label: { en: 'GSTIN', hi: 'GSTIN' },
    type: 'text',
    placeholder: '27 AAPFU 0939 F 1ZV',
    mask: '99 aaaaa 9999 a ***',
    rules: { required: true, minLength: 15, maxLength: 15 },
    messages: {
      en: ['Enter the GSTIN', 'A GSTIN has 15 characters', 'A GSTIN has 15 characters'],
      hi: ['GSTIN लिखें', 'GSTIN में 15 अक्षर होते हैं', 'GSTIN में 15 अक्षर होते हैं'],
    },
    askedBy: { name: 'business', label: { en: 'I need a GST invoice', hi: 'मुझे GST इनवॉइस चाहिए' } },
    seenBy: ['staff', 'customer', 'accountant'],
    isErased: false,
    namesRecipient: true,
    normalise: (text) => tidyCode(text).replaceAll(/[\s-]/g, '').toUpperCase(),
    check: (text) =>
      isGstin(text)
        ? undefined
        : {
            en: 'Check the GSTIN, such as 27AAPFU0939F1ZV: a character of it is wrong',
            hi: 'GSTIN जाँचें, जैसे 27AAPFU0939F1ZV: उसका कोई अक्षर गलत है',
          },
  },
];

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

export function fieldOf(extra: OrderExtra, language: Language): PaymentField {
  const { name, type, label, description, messages, askedBy, rules } = extra;
  const { placeholder = '', mask = '', options = [] } = extra;
  return {
    ...BLANK,
    name,
    type,
    placeholder,
    mask,
    options,
    label: label[language],
    description: description?.[language] ?? '',
    rules: { required: false, ...rules },
    rulesMessages: messages?.[language] ?? [],
    showWhenFilled: askedBy ? [askedBy.name] : [],
  };
}

/** Returns a text as it is checked and stored. */
export function normaliseExtra(extra: OrderExtra, text: string): string {
  const tidy = tidyValue(fieldOf(extra, 'en'), text);
  return extra.normalise?.(tidy) ?? tidy;
}

/** Returns the error of a text that is not empty. */
export function extraError(extra: OrderExtra, text: string, language: Language): string | undefined {
  const field = fieldOf(extra, language);
  const { label, type, options, check } = extra;
  const error = fieldError(field, text);
  if (error !== undefined) return error;
  if (type === 'select' && !options?.includes(text)) return NOT_AN_OPTION[language](label[language]);
  const lines = type === 'textarea' ? text.split('\n') : [text];
  if (!lines.every(isPlainText)) return UNPRINTABLE[language](label[language]);
  return check?.(text)?.[language];
}

/** Values by the extra's name. Empty ones are left out. */
export type OrderExtras = ReadonlyMap<string, string>;

/**
 * Reads a submitted form: its texts as they are checked and stored, the extras among them that the form shows, and the
 * first error with the name of its field.
 */
export function readPaymentForm(form: readonly PaymentField[], sent: PaymentValues, language: Language) {
  const values = new Map(sent);
  for (const extra of ORDER_EXTRAS) values.set(extra.name, normaliseExtra(extra, sent.get(extra.name) ?? ''));
  const [problem] = validatePaymentForm(form, values);
  const shown = new Set(visibleFields(form, values).map(({ name }) => name));
  const filled = ORDER_EXTRAS.flatMap((extra) => {
    const text = values.get(extra.name);
    return text && shown.has(extra.name) ? [{ extra, text }] : [];
  });
  const problems = filled.flatMap(({ extra, text }) => {
    const error = extraError(extra, text, language);
    return error === undefined ? [] : [[extra.name, error] as const];
  });
  const extras: OrderExtras = new Map(filled.map(({ extra, text }) => [extra.name, text]));
  return { values, extras, problem: problem ?? problems[0] };
}

/** Fills a form with what the order carries already, so that a second payment does not clear it. */
export const withExtras = (
  fields: readonly PaymentField[],
  extras: OrderExtras = new Map(),
): PaymentField[] =>
  fields.map((field) => {
    const asked = ORDER_EXTRAS.find(({ askedBy }) => askedBy?.name === field.name);
    const value = asked ? extras.has(asked.name) && 'true' : extras.get(field.name);
    return value ? { ...field, defaultValue: value } : field;
  });

/** Replaces the order's extras. */
export async function storeExtras(
  transaction: Transaction,
  orderNumber: number,
  extras: OrderExtras,
): Promise<void> {
  await transaction.run(q.deleteFrom('orderExtras').where('orderNumber', '=', orderNumber));
  const rows = [...extras].map(([name, value]) => ({ orderNumber, name, value }));
  if (rows.length > 0) await transaction.run(q.insertInto('orderExtras').values(rows));
}

const EXTRAS_OF = prepared(({ numbers }: { numbers: readonly number[] }) =>
  q.selectFrom('orderExtras').select(['orderNumber', 'name', 'value']).where('orderNumber', 'in', numbers),
);

/** Returns the extras by order number. */
export async function extrasOf(
  db: Reader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, OrderExtras>> {
  const rows = await db.rows(EXTRAS_OF({ numbers }));
  const groups = Map.groupBy(rows, ({ orderNumber }) => orderNumber);
  return new Map(
    [...groups].map(([number, group]) => [number, new Map(group.map(({ name, value }) => [name, value]))]),
  );
}

export interface ShownExtra {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/** Returns what an audience sees of an order's extras, in the order of the table. */
export const shownExtras = (
  extras: OrderExtras | undefined,
  audience: Audience,
  language: Language = 'en',
): ShownExtra[] =>
  ORDER_EXTRAS.flatMap(({ name, label, seenBy }) => {
    const value = extras?.get(name);
    return value !== undefined && seenBy.includes(audience) ? [{ name, label: label[language], value }] : [];
  });

export const extrasFor = (audience: Audience): readonly OrderExtra[] =>
  ORDER_EXTRAS.filter(({ seenBy }) => seenBy.includes(audience));

/** The names of the extras that are erased with the address. */
export const ERASED_EXTRAS = ORDER_EXTRAS.filter(({ isErased }) => isErased).map(({ name }) => name);
/** The names of the extras that keep an order's name and address from being erased, because its invoice needs them. */
export const NAMING_EXTRAS = ORDER_EXTRAS.filter((extra) => extra.namesRecipient).map(({ name }) => name);
