import type { STORE_FIELDS } from '#domain/store-fields.ts';

type PathOf<Table> = {
  readonly [Name in keyof Table & string]: Table[Name] extends { readonly fields: infer Fields }
    ? Name | `${Name}.${keyof Fields & string}`
    : Name;
}[keyof Table & string];

/** Labels and hints of the store record's parts and fields. A field without its line is a type error. */
const STORE_LABELS: Readonly<Record<PathOf<typeof STORE_FIELDS>, readonly [label: string, hint?: string]>> = {
  storeName: ['Name of the shop', 'At the top of every page.'],
  companyName: ['Company', 'The seller, at the foot of every page and in the policies.'],
  companyAddress: ['Address'],
  companyEmail: ['Email for customers'],
  companyPhone: ['Phone for customers', 'Such as +91 98765 43210.'],
  companyLogoUrl: ['Logo'],
  description: ['Description of the shop', 'One sentence about the shop, for search engines.'],
  siteUrl: ['Address of the shop', 'Such as https://shop.example, for search engines and shared links.'],
  supportHours: ['Hours of support', 'Such as Monday to Saturday, 10AM - 6PM.'],
  grievanceOfficer: ['Grievance officer'],
  'grievanceOfficer.name': [
    'Grievance officer',
    'Answers complaints. The law requires a name on every page.',
  ],
  'grievanceOfficer.designation': ['Designation of the grievance officer'],
  'grievanceOfficer.email': ['Email of the grievance officer', 'Without one, the email for customers.'],
  'grievanceOfficer.phone': ['Phone of the grievance officer', 'Without one, the phone for customers.'],
  'grievanceOfficer.hours': ['Hours of the grievance officer', 'Such as Monday to Friday 10:00-17:00.'],
  licences: ['Licences'],
  'licences.fssai': ['FSSAI number', 'A shop that sells food must show it on every page.'],
  'licences.gstin': ['GSTIN'],
  delivery: ['Delivery'],
  'delivery.charge': ['Delivery costs', 'In rupees for an order. Without an amount, delivery is free.'],
  'delivery.freeFrom': [
    'Delivery is free from',
    'In rupees, what the items of an order must come to. Without an amount, no order is delivered free.',
  ],
  'delivery.places': [
    'Delivery costs to some PIN codes',
    'One per line: a PIN code or its first digits, then the rupees, such as 4110 25. The longest digits count. Delivery is free there from the same amount.',
  ],
  'delivery.days': ['Delivery takes', 'In working days, such as 2-4.'],
  'delivery.bulkDays': ['Delivery of a bulk order takes', 'In business days, such as 10-15.'],
  served: [
    'PIN codes that you deliver to',
    'One per line, whole or their first digits, such as 411001 or 4110. Without any, everywhere.',
  ],
  orderMinimum: ['Smallest order', 'In rupees, of the goods alone. Without an amount, any order.'],
  pause: ['No orders'],
  'pause.from': ['No orders from', 'The first day. Empty: at once.'],
  'pause.until': ['No orders until', 'The last day. Without it, orders are taken.'],
  'pause.sentence': ['What the shop says meanwhile', 'Such as We are at a wedding.'],
  returnDays: [
    'Days to return or cancel',
    'From the day of delivery, for a return. 0 says that nothing is taken back.',
  ],
  refundDays: ['Days a refund takes', 'At most, in working days.'],
  hero: ['First block of the home page'],
  'hero.title': ['Headline of the home page', 'A few short words. Each line of it is a line on the page.'],
  'hero.text': ['Sentence under the headline', '{{deliveryTerms}} in it becomes what delivery costs.'],
  'hero.picture': ['Picture of the home page'],
  'hero.alt': [
    'What the picture of the home page shows',
    'In a few words, such as A bowl of cherries. It is read out to people who cannot see it.',
  ],
  'hero.focusX': [
    'Focus of the picture: from the left',
    'In per cent: 0 is the left edge, 100 the right. Phones show a part of about a square around it. Without a number, the middle.',
  ],
  'hero.focusY': [
    'Focus of the picture: from the top',
    'In per cent: 0 is the top edge, 100 the bottom. Without a number, the middle.',
  ],
  trust: ['Promises under the first block'],
  'trust.title': ['Promise'],
  'trust.text': ['More of promise'],
  whatsapp: ['WhatsApp number', 'With the code of the country, such as +91 98765 43210.'],
  newsletterUrl: [
    'Sign-up page of your newsletter',
    'At your newsletter service, such as https://news.example/join. The newsletter block of the home page links to it.',
  ],
  social: ['Social links'],
  'social.name': ['Name of social link', 'Such as Instagram.'],
  'social.url': ['Address of social link'],
  cashOnDelivery: ['Cash on delivery'],
  'cashOnDelivery.most': [
    'Cash on delivery up to',
    'In rupees, the total of an order. Without an amount, any order can be paid in cash.',
  ],
  'cashOnDelivery.pinCodes': [
    'PIN codes with cash on delivery',
    'One per line, whole or their first digits, such as 411001 or 4110. Without any, everywhere.',
  ],
};

const LABELS = new Map<string, readonly [label: string, hint?: string]>([
  ...Object.entries(STORE_LABELS),
  ['categories', ['Categories']],
  ['categoryImages', ['Pictures of the categories']],
  ['moved', ['Addresses that changed']],
]);

/** Returns the label of a part of the store record; undefined for a policy. */
export const storePartName = (name: string): string | undefined => LABELS.get(name)?.[0];

/** Returns the label and hint of a value, such as 'trust.0.title'. In a list the label ends in its number, from 1. */
export function labelOf(name: string): { readonly label: string; readonly hint?: string } {
  const [, index] = /\.(\d+)\./.exec(name) ?? [];
  const [label, hint] = LABELS.get(name.replace(/\.\d+/, '')) ?? [name];
  return {
    label: index === undefined ? label : `${label} ${Number(index) + 1}`,
    ...(hint !== undefined && { hint }),
  };
}
