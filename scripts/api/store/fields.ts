import type { STORE_FIELDS } from '#domain/store-fields.ts';

interface Words {
  readonly label: string;
  readonly hint?: string;
}

interface TextWords extends Words {
  /** An email or an address is also checked to be one. */
  readonly control: 'text' | 'email' | 'tel' | 'url' | 'textarea';
  readonly isRequired?: boolean;
}

type WordsOf<Field> = Field extends { readonly kind: 'text' }
  ? TextWords
  : Field extends { readonly fields: infer Fields }
    ? Words & { readonly fields: TableWords<Fields> }
    : Words;

/** The words for each field of a table. Those of a group's field are said without the group's. */
export type TableWords<Table> = { readonly [Name in keyof Table]: WordsOf<Table[Name]> };

/** What the staff reads of each field of the store record. A field without its line is a type error. */
export const STORE_WORDS: TableWords<typeof STORE_FIELDS> = {
  storeName: {
    label: 'Name of the shop',
    hint: 'At the top of every page.',
    control: 'text',
    isRequired: true,
  },
  companyName: {
    label: 'Company',
    hint: 'Who sells: at the foot of every page and in the policies.',
    control: 'text',
    isRequired: true,
  },
  companyAddress: { label: 'Address', control: 'text', isRequired: true },
  companyEmail: { label: 'Email for customers', control: 'email', isRequired: true },
  companyPhone: {
    label: 'Phone for customers',
    hint: 'Such as +91 98765 43210.',
    control: 'tel',
    isRequired: true,
  },
  companyLogoUrl: { label: 'Logo' },
  description: {
    label: 'Description of the shop',
    hint: 'One sentence about the shop, for search engines.',
    control: 'textarea',
  },
  cashOnDelivery: {
    label: 'Cash on delivery',
    fields: {
      most: {
        label: 'Cash on delivery up to',
        hint: 'In rupees, the total of an order. Without an amount, any order can be paid in cash.',
      },
      pinCodes: {
        label: 'PIN codes with cash on delivery',
        hint: 'One a line, whole or how they begin, such as 411001 or 4110. Without any, everywhere.',
      },
    },
  },
};

/** The words of any field, whose kind says which of them there are. */
export interface FieldWords extends Words, Partial<Pick<TextWords, 'control' | 'isRequired'>> {
  readonly fields?: Readonly<Record<string, FieldWords>>;
}

const isIndex = (key: string): boolean => /^\d+$/.test(key);

/** The words of a single value, such as 'tiles.0.title'. In a list they end in its number, from 1. */
export function wordsOf(words: Readonly<Record<string, FieldWords>>, name: string): FieldWords {
  let [found, number]: [FieldWords, string] = [{ label: name, fields: words }, ''];
  for (const key of name.split('.')) {
    if (isIndex(key)) number = ` ${Number(key) + 1}`;
    else found = found.fields?.[key] ?? { label: name };
  }
  return { ...found, label: found.label + number };
}

const OTHER_PARTS: Readonly<Record<string, string>> = {
  categories: 'Categories',
  categoryImages: 'Pictures of the categories',
};

/** The name of a part of the store record for the staff; undefined for a policy. */
export const storePartName = (name: string): string | undefined =>
  Object.hasOwn(STORE_WORDS, name) ? wordsOf(STORE_WORDS, name).label : OTHER_PARTS[name];
