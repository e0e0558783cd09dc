import type { PartOf, StoreRecord } from '#domain/store-fields.ts';

/**
 * Defaults of the pages for empty fields of the store record. The admin's Store page and store.json override them.
 * Delivery charges have no default here, because the API charges by the record alone.
 */
export const STORE_DEFAULTS = {
  siteUrl: 'https://freshfruits.example',
  supportHours: 'Monday to Saturday, 10AM - 6PM',
  grievanceOfficer: {
    name: 'Anjali Deshmukh',
    designation: 'Grievance Officer',
    hours: 'Monday to Friday 10:00-17:00',
  },
  delivery: { days: '0-7', bulkDays: '10-15' },
  returnDays: 7,
  refundDays: 7,
  hero: {
    title: 'Fruit at its\nsweetest.',
    text: 'Seasonal fruit and everyday goods, with {{deliveryTerms}} across India.',
  },
} as const satisfies PartOf<StoreRecord>;

/** Recommended on the registration page. */
export const EMAIL_PROVIDERS = ['gmail.com', 'outlook.com'] as const;
