import type { STORE_FIELDS } from '#domain/store-fields.ts';

/** What a form says about a field. */
export interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  /** Of a text, 'text' by default. Emails and URLs are also validated. */
  readonly control?: 'text' | 'email' | 'tel' | 'url' | 'textarea';
  readonly isRequired?: boolean;
  readonly isHttps?: boolean;
}

/** By the path of a field, such as 'storeName', or 'trust.title' for each group of a list. */
export type Words = Readonly<Record<string, FieldWords>>;

type PathOf<Table> = {
  readonly [Name in keyof Table & string]: Table[Name] extends { readonly fields: infer Fields }
    ? `${Name}.${keyof Fields & string}`
    : Name;
}[keyof Table & string];

/** Labels and hints of the store record. A field without its line is a type error. */
export const STORE_WORDS: Readonly<Record<PathOf<typeof STORE_FIELDS>, FieldWords>> = {
  storeName: { label: 'Name of the shop', hint: 'At the top of every page.', isRequired: true },
  companyName: {
    label: 'Company',
    hint: 'The seller, at the foot of every page and in the policies.',
    isRequired: true,
  },
  companyAddress: { label: 'Address', isRequired: true },
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
  supportHours: { label: 'Hours of support', hint: 'Such as Monday to Saturday, 10AM - 6PM.' },
  'grievanceOfficer.name': {
    label: 'Grievance officer',
    hint: 'Answers complaints. The law requires a name on every page.',
  },
  'grievanceOfficer.designation': { label: 'Designation of the grievance officer' },
  'grievanceOfficer.email': {
    label: 'Email of the grievance officer',
    hint: 'Without one, the email for customers.',
    control: 'email',
  },
  'grievanceOfficer.phone': {
    label: 'Phone of the grievance officer',
    hint: 'Without one, the phone for customers.',
    control: 'tel',
  },
  'grievanceOfficer.hours': {
    label: 'Hours of the grievance officer',
    hint: 'Such as Monday to Friday 10:00-17:00.',
  },
  'licences.fssai': { label: 'FSSAI number', hint: 'A shop that sells food must show it on every page.' },
  'licences.gstin': { label: 'GSTIN' },
  'delivery.charge': {
    label: 'Delivery costs',
    hint: 'In rupees for an order. Without an amount, delivery is free.',
  },
  'delivery.freeFrom': {
    label: 'Delivery is free from',
    hint: 'In rupees, what the items of an order must come to. Without an amount, no order is delivered free.',
  },
  'delivery.days': { label: 'Delivery takes', hint: 'In working days, such as 2-4.' },
  'delivery.bulkDays': { label: 'Delivery of a bulk order takes', hint: 'In business days, such as 10-15.' },
  returnDays: {
    label: 'Days to return or cancel',
    hint: 'From the day of delivery, for a return. 0 says that nothing is taken back.',
  },
  refundDays: { label: 'Days a refund takes', hint: 'At most, in working days.' },
  'hero.title': {
    label: 'Headline of the home page',
    hint: 'A few short words. Each line of it is a line on the page.',
    control: 'textarea',
  },
  'hero.text': {
    label: 'Sentence under the headline',
    hint: '{{deliveryTerms}} in it becomes what delivery costs.',
    control: 'textarea',
  },
  'hero.picture': { label: 'Picture of the home page' },
  'hero.alt': {
    label: 'What the picture of the home page shows',
    hint: 'In a few words, such as A bowl of cherries. It is read out to people who cannot see it.',
  },
  'hero.focusX': {
    label: 'Focus of the picture: from the left',
    hint: 'In per cent: 0 is the left edge, 100 the right. Phones show a part of about a square around it. Without a number, the middle.',
  },
  'hero.focusY': {
    label: 'Focus of the picture: from the top',
    hint: 'In per cent: 0 is the top edge, 100 the bottom. Without a number, the middle.',
  },
  'trust.title': { label: 'Promise' },
  'trust.text': { label: 'More of promise' },
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
  'social.name': { label: 'Name of social link', hint: 'Such as Instagram.' },
  'social.url': { label: 'Address of social link', control: 'url' },
  'cashOnDelivery.most': {
    label: 'Cash on delivery up to',
    hint: 'In rupees, the total of an order. Without an amount, any order can be paid in cash.',
  },
  'cashOnDelivery.pinCodes': {
    label: 'PIN codes with cash on delivery',
    hint: 'One per line, whole or their first digits, such as 411001 or 4110. Without any, everywhere.',
  },
};

/** Returns the label and hint of a value, such as 'trust.0.title'. In a list the label ends in its number, from 1. */
export function wordsOf(words: Words, name: string): FieldWords {
  const [, index] = /\.(\d+)\./.exec(name) ?? [];
  const found = words[name.replace(/\.\d+/, '')] ?? { label: name };
  return index === undefined ? found : { ...found, label: `${found.label} ${Number(index) + 1}` };
}

const PARTS: Words = {
  ...STORE_WORDS,
  grievanceOfficer: { label: 'Grievance officer' },
  licences: { label: 'Licences' },
  delivery: { label: 'Delivery' },
  hero: { label: 'First block of the home page' },
  trust: { label: 'Promises under the first block' },
  social: { label: 'Social links' },
  cashOnDelivery: { label: 'Cash on delivery' },
  categories: { label: 'Categories' },
  categoryImages: { label: 'Pictures of the categories' },
  moved: { label: 'Addresses that changed' },
};

/** Returns the label of a part of the store record; undefined for a policy. */
export const storePartName = (name: string): string | undefined =>
  Object.hasOwn(PARTS, name) ? PARTS[name]?.label : undefined;
