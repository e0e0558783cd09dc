import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from '#scripts/publish/site/built-pages.ts';
import { build } from './support/run.ts';
import { startStubApi } from './support/stub-api.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** Another shop's values, and the texts in which each of the defaults stands otherwise. */
const VALUES = {
  siteUrl: 'https://ripe.example',
  supportHours: 'Tuesday to Sunday, 8AM - 4PM',
  grievanceOfficer: {
    name: 'Ravi Kale',
    designation: 'Nodal Officer',
    email: 'officer@ripe.example',
    phone: '+91 20 5555 0001',
    hours: 'Tuesday to Friday 09:00-12:00',
  },
  licences: { fssai: '11521999000123', gstin: '27AAPFU0939F1ZV' },
  delivery: { charge: 61.5, freeFrom: 733, days: '3-5', bulkDays: '20-25' },
  returnDays: 4,
  refundDays: 9,
  hero: { title: 'Mangoes,\nnow.', text: 'From the tree, {{deliveryTerms}}.', picture: '' },
  trust: [{ title: 'Picked today', text: 'delivered {{deliveryDays}}' }],
  newsletterUrl: 'https://news.example/join',
  whatsapp: '+91 98765 00042',
  social: [{ name: 'Instagram', url: 'https://instagram.example/ripe' }],
};

const OLD = [
  /freshfruits\.example/,
  /10AM|Mon–Sat/,
  /Anjali Deshmukh|Grievance Officer:/,
  /10:00-17:00/,
  /[Ff]ree shipping on every|[Ss]hipping is free on every|[Dd]elivered free|<b>Free shipping<\/b>|on every order/,
  /<g:price>0/,
  /0[-–]7/,
  /10-15/,
  /\b(?:7 working|15 business) days/,
  /\b7[- ]days?\b|merchantReturnDays":7/,
  /sweetest/,
  /Seasonal fruit/,
];

const NEW = [
  'https://ripe.example/sitemap.xml',
  'Tuesday to Sunday, 8AM - 4PM',
  'Nodal Officer: Ravi Kale',
  'officer@ripe.example',
  '+91 20 5555 0001',
  'Tuesday to Friday 09:00-12:00',
  'FSSAI 11521999000123',
  'GSTIN 27AAPFU0939F1ZV',
  'Shipping costs ₹61.50. It is free from ₹733.',
  'Free shipping from ₹733',
  '<g:price>61.50 INR</g:price>',
  'Delivered in 3–5 working days',
  '20-25 business days',
  'Return or cancel within 4 days',
  '"merchantReturnDays":4',
  'Refunds take 0-9 working days',
  'Mangoes,',
  'From the tree, free shipping from ₹733.',
  'delivered 3-5',
  'https://wa.me/919876500042',
  'href="https://news.example/join"',
  'href="https://instagram.example/ripe"',
];

test('[spec 3.store.8, 2.home.19] no promise of a page stands in the code: each changes with the store record', async () => {
  const api = await startStubApi(1);
  api.store = { ...api.store, ...VALUES };
  const dist = join(temporaryFolder(), 'dist');
  const { status, errors } = await build(dist, api.url);
  expect(status, errors).toBe(0);
  // Scripts hold the Hindi of the default texts, and the names of fields.
  const files = (await listFiles(dist)).filter((file) => /\.(html|xml|txt|json|webmanifest)$/.test(file));
  const texts = files.map((file) => [file, readFileSync(join(dist, file), 'utf8')] as const);
  const found = texts.flatMap(([file, text]) =>
    OLD.flatMap((old) => {
      const match = old.exec(text);
      return match ? [`${file}: ${text.slice(Math.max(0, match.index - 40), match.index + 40)}`] : [];
    }),
  );
  expect(found).toEqual([]);
  const all = texts.map(([, text]) => text).join('\n');
  expect(NEW.filter((text) => !all.includes(text))).toEqual([]);
}, 240_000);
