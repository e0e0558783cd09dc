import type { STORE_FIELDS } from '#domain/store-fields.ts';

interface Words {
  readonly label: string;
  readonly hint?: string;
}

interface TextWords extends Words {
  /** An email or an address is also checked to be one. */
  readonly control: 'text' | 'email' | 'tel' | 'url' | 'textarea';
  readonly isRequired?: boolean;
  /** Whether an address must begin with https. */
  readonly isHttps?: boolean;
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
  siteUrl: {
    label: 'Address of the shop',
    hint: 'Such as https://shop.example, for search engines and shared links.',
    control: 'url',
  },
  supportHours: {
    label: 'Hours of support',
    hint: 'Such as Monday to Saturday, 10AM - 6PM.',
    control: 'text',
  },
  grievanceOfficer: {
    label: 'Grievance officer',
    fields: {
      name: {
        label: 'Grievance officer',
        hint: 'The law wants a name on every page: who answers complaints.',
        control: 'text',
      },
      designation: { label: 'Designation of the grievance officer', control: 'text' },
      email: {
        label: 'Email of the grievance officer',
        hint: 'Without one, the email for customers.',
        control: 'email',
      },
      phone: {
        label: 'Phone of the grievance officer',
        hint: 'Without one, the phone for customers.',
        control: 'tel',
      },
      hours: {
        label: 'Hours of the grievance officer',
        hint: 'Such as Monday to Friday 10:00-17:00.',
        control: 'text',
      },
    },
  },
  licences: {
    label: 'Licences',
    fields: {
      fssai: {
        label: 'FSSAI number',
        hint: 'A shop that sells food must show it on every page.',
        control: 'text',
      },
      gstin: { label: 'GSTIN', control: 'text' },
    },
  },
  delivery: {
    label: 'Delivery',
    fields: {
      charge: {
        label: 'Delivery costs',
        hint: 'In rupees for an order. Without an amount, delivery is free.',
      },
      freeFrom: {
        label: 'Delivery is free from',
        hint: 'In rupees, what the items of an order must come to. Without an amount, no order is delivered free.',
      },
      days: {
        label: 'Delivery takes',
        hint: 'In working days, such as 2-4.',
        control: 'text',
      },
      bulkDays: {
        label: 'Delivery of a bulk order takes',
        hint: 'In business days, such as 10-15.',
        control: 'text',
      },
    },
  },
  returnDays: {
    label: 'Days to return or cancel',
    hint: 'From the day of delivery, for a return. 0 says that nothing is taken back.',
  },
  refundDays: { label: 'Days a refund takes', hint: 'At most, in working days.' },
  hero: {
    label: 'First block of the home page',
    fields: {
      title: {
        label: 'Headline of the home page',
        hint: 'A few short words. Each line of it is a line on the page.',
        control: 'textarea',
      },
      text: {
        label: 'Sentence under the headline',
        hint: '{{deliveryTerms}} in it becomes what delivery costs.',
        control: 'textarea',
      },
      picture: { label: 'Picture of the home page' },
      alt: {
        label: 'What the picture of the home page shows',
        hint: 'In a few words, such as A bowl of cherries. It is read to those who cannot see it.',
        control: 'text',
      },
      focusX: {
        label: 'What matters in the picture: from the left',
        hint: 'In per cent: 0 is the left edge, 100 the right. Phones show a part of about a square around it. Without a number, the middle.',
      },
      focusY: {
        label: 'What matters in the picture: from the top',
        hint: 'In per cent: 0 is the top edge, 100 the bottom. Without a number, the middle.',
      },
    },
  },
  trust: {
    label: 'Promises under the first block',
    hint: 'Without any, the page tells of delivery, returns, tracking and support.',
    fields: {
      title: { label: 'Promise', control: 'text' },
      text: { label: 'More of promise', control: 'text' },
    },
  },
  whatsapp: {
    label: 'WhatsApp number',
    hint: 'With the code of the country, such as +91 98765 43210.',
    control: 'tel',
  },
  newsletterUrl: {
    label: 'Sign-up page of your newsletter',
    hint: 'Of the service that you use, such as https://news.example/join. The newsletter block of the home page leads there.',
    control: 'url',
    isHttps: true,
  },
  social: {
    label: 'Social links',
    fields: {
      name: { label: 'Name of social link', hint: 'Such as Instagram.', control: 'text' },
      url: { label: 'Address of social link', control: 'url' },
    },
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
export interface FieldWords extends Words, Partial<Pick<TextWords, 'control' | 'isRequired' | 'isHttps'>> {
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
