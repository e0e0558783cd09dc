import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { describedStore } from '#catalogue/described-store.ts';
import { policyHtml } from '#catalogue/policies.ts';
import { onlySupported } from '#domain/capabilities.ts';
import { fillPlaceholders, isPolicySlug, POLICIES, POLICY_SLUGS, placeholderValues } from '#domain/policy.ts';
import { policyHtmlOf } from '#domain/policy-markdown.ts';
import { paths } from '#paths.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const STORE = describedStore(
  v.parse(StoreInfoSchema, { companyName: 'Company <Ltd>', companyAddress: '1 "Road"' }),
);
const VALUES = placeholderValues(STORE);
const LINKS = [
  ...POLICY_SLUGS.map(paths.policy),
  ...[paths.contact, paths.orders, paths.device, paths.trackOrder, paths.accountData],
  'mailto:{{companyEmail}}',
  'mailto:{{grievanceOfficerEmail}}',
];

const files = globSync(['src/catalogue/policies/*.md', 'scripts/demo/policies/*.md'], { cwd: root });

test('[spec 2.routes.7] has the policies of the specification', () => {
  expect(POLICIES).toMatchObject({
    terms: 'Terms & Conditions',
    privacy: 'Privacy Policy',
    refund: 'Refund and Cancellation Policy',
    return: 'Return Policy',
    shipping: 'Shipping Policy',
    about: 'About Us',
  });
  for (const slug of ['login', '../x', '__proto__', 'constructor', ''])
    expect(isPolicySlug(slug)).toBe(false);
});

test('[spec 2.policies.4] every slug has a built-in text, and no text lacks a slug', () => {
  expect(readdirSync(join(root, 'src/catalogue/policies'))).toEqual(
    POLICY_SLUGS.map((slug) => `${slug}.md`).toSorted(),
  );
});

test.each(files)('%s has every placeholder filled and escaped, and only links within the shop', (file) => {
  const html = policyHtmlOf(onlySupported(read(file), () => true));
  const filled = fillPlaceholders(html, VALUES);
  expect(filled).not.toMatch(/[{}[\]]/);
  expect(filled).toContain('Company &#60;Ltd&#62;');
  expect(filled).not.toContain('Company <Ltd>');
  expect(html).not.toMatch(/\s(?:class|style|id|on\w+)=/);
  for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(LINKS).toContain(href);
});

test.each(POLICY_SLUGS)(
  '[spec 9.policies.5] the built-in text of /%s names the grievance officer and the phone hours',
  (slug) => {
    const html = read(`src/catalogue/policies/${slug}.md`);
    for (const fact of ['Name', 'Designation', 'Hours'])
      expect(html).toContain(`{{grievanceOfficer${fact}}}`);
    expect(VALUES.grievanceOfficerHours).toBe('Monday to Friday 10:00-17:00');
  },
);

test.each([
  ['refund', 'Refunds take 0-7 working days', '[spec 9.policies.1]'],
  ['refund', 'The cancellation window is 0-7 days', '[spec 9.policies.2]'],
  ['return', 'The return window is 0-7 days', '[spec 9.policies.2]'],
  ['shipping', '0-7 working days', '[spec 9.policies.3]'],
  ['shipping', '10-15 business days', '[spec 9.policies.3]'],
  ['shipping', 'Monday to Saturday, 10AM - 6PM', '[spec 9.policies.4]'],
  ['terms', 'Consumer Protection Act, 2019', ''],
  ['terms', 'Consumer Protection (E-Commerce) Rules, 2020', ''],
  ['privacy', 'Digital Personal Data Protection Act, 2023', ''],
  ['privacy', 'A random number for each device you signed in on, only as a hash', ''],
  ['privacy', 'only owners can download orders, every change and every download is recorded', ''],
] as const)('/%s says: %s %s', (...[slug, text]) => {
  expect(policyHtml(slug, STORE).replace(/<[^>]*>/g, '')).toContain(text);
});

const privacy = (capabilities: object, more: Partial<typeof STORE> = {}): string => {
  vi.stubGlobal('__CAPABILITIES__', capabilities);
  return policyHtml('privacy', { ...STORE, ...more });
};

test('a line for a capability is shown only if the API has the capability', () => {
  expect(privacy({})).not.toContain('href="/account-data"');
  expect(privacy({ accountData: true })).toContain('href="/account-data"');
  expect(privacy({})).not.toContain('carries our e-mails');
  expect(privacy({ emails: true })).toContain('A mail provider, which carries our e-mails');
});

test('the privacy policy names the API’s mail provider and retention days', () => {
  const html = privacy(
    { emails: true },
    {
      mailProvider: 'Post <&> Sons',
      retention: [
        { what: 'a link', days: 1, after: 'its use' },
        { what: 'a message', days: 1_095, after: 'the answer' },
        { what: 'a device', days: 400, after: 'its use' },
      ],
    },
  );
  expect(html).toContain('Post &lt;&amp;&gt; Sons, which carries our e-mails');
  expect(html).toContain(
    'a link (1 day after its use); a message (3 years after the answer); a device (400 days after its use).',
  );
});

test.each([
  ['https://news.example/join', 'https://news.example/join'],
  ['http://news.example/join', ''],
  ['javascript:alert(1)', ''],
  ['join us', ''],
])('the newsletter URL %s becomes %j', (newsletterUrl, shown) => {
  expect(describedStore(v.parse(StoreInfoSchema, { newsletterUrl })).newsletterUrl).toBe(shown);
});
