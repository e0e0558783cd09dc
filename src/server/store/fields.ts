import type { STORE_FIELDS } from '#domain/store-fields.ts';

interface Words {
  readonly label: string;
  readonly hint?: string;
}

interface TextWords extends Words {
  /** Emails and URLs are also validated. */
  readonly control: 'text' | 'email' | 'tel' | 'url' | 'textarea';
  readonly isRequired?: boolean;
  readonly isHttps?: boolean;
}

type WordsOf<Field> = Field extends { readonly kind: 'text' }
  ? TextWords
  : Field extends { readonly fields: infer Fields }
    ? Words & { readonly fields: TableWords<Fields> }
    : Words;

/** Labels and hints for each field of a table. A group's label is not shown. */
export type TableWords<Table> = { readonly [Name in keyof Table]: WordsOf<Table[Name]> };

/** Labels and hints of the store record. A field without its line is a type error. */
export const STORE_WORDS: TableWords<typeof STORE_FIELDS> = {
  storeName: {
    label: 'Name of the shop',
    hint: 'At the top of every page.',
    control: 'text',
    isRequired: true,
  },
  companyName: {
    label: 'Company',
    hint: 'The seller, at the foot of every page and in the policies.',
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
        hint: 'Answers complaints. The law requires a name on every page.',
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
        hint: 'In a few words, such as A bowl of cherries. It is read out to people who cannot see it.',
        control: 'text',
      },
      focusX: {
        label: 'Focus of the picture: from the left',
        hint: 'In per cent: 0 is the left edge, 100 the right. Phones show a part of about a square around it. Without a number, the middle.',
      },
      focusY: {
        label: 'Focus of the picture: from the top',
        hint: 'In per cent: 0 is the top edge, 100 the bottom. Without a number, the middle.',
      },
    },
  },
  trust: {
    label: 'Promises under the first block',
    hint: 'Without any, the page is about delivery, returns, tracking and support.',
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
    hint: 'At your newsletter service, such as https://news.example/join. The newsletter block of the home page links to it.',
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
        hint: 'One per line, whole or their first digits, such as 411001 or 4110. Without any, everywhere.',
      },
    },
  },
};

export interface FieldWords extends Words, Partial<Pick<TextWords, 'control' | 'isRequired' | 'isHttps'>> {
  readonly fields?: Readonly<Record<string, FieldWords>>;
}

const isIndex = (key: string): boolean => /^\d+$/.test(key);

/** Returns the label and hint of a value, such as 'tiles.0.title'. In a list the label ends in its number, from 1. */
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
  moved: 'Addresses that changed',
};

/** Returns the label of a part of the store record; undefined for a policy. */
export const storePartName = (name: string): string | undefined =>
  Object.hasOwn(STORE_WORDS, name) ? wordsOf(STORE_WORDS, name).label : OTHER_PARTS[name];
