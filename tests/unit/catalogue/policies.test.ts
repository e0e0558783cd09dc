import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import { StoreInfoReader } from '#api/schema/store-info.ts';
import { describedStore } from '#catalogue/described-store.ts';
import { policyHtml } from '#catalogue/policies.ts';
import { policyHtmlOf } from '#catalogue/policy-markdown.ts';
import { onlyOffered } from '#domain/offers.ts';
import { fillPlaceholders, POLICY_SLUGS, placeholderValues } from '#domain/policy.ts';
import { paths } from '#paths.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const words = (html: string): string[] => html.replace(/<[^>]*>/g, ' ').match(/[\w'’-]+/g) ?? [];

const STORE = describedStore(
  v.parse(StoreInfoReader, { companyName: 'Company <Ltd>', companyAddress: '1 "Road"' }),
);
const VALUES = placeholderValues(STORE);
const LINKS = [
  ...POLICY_SLUGS.map(paths.policy),
  ...[paths.contact, paths.orders, paths.device, paths.trackOrder, paths.accountData],
  'mailto:{{companyEmail}}',
  'mailto:{{grievanceOfficerEmail}}',
];
const TAGS = 'p h2 h3 ul ol li strong a br table thead tbody tr th td'.split(' ');

const files = globSync(['src/catalogue/policies/*.md', 'scripts/catalogue/policies/*.md'], { cwd: root });

test('[spec 2.policies.4] every slug has a built-in text, and there is no other', () => {
  expect(readdirSync(join(root, 'src/catalogue/policies'))).toEqual(
    POLICY_SLUGS.map((slug) => `${slug}.md`).toSorted(),
  );
});

describe.each(files)('%s', (file) => {
  const html = policyHtmlOf(onlyOffered(read(file), () => true));

  test('has every placeholder filled and escaped', () => {
    const filled = fillPlaceholders(html, VALUES);
    expect(filled).not.toMatch(/[{}[\]]/);
    expect(filled).toContain('Company &#60;Ltd&#62;');
    expect(filled).not.toContain('Company <Ltd>');
  });

  test('is plain semantic HTML whose links stay in the shop', () => {
    const tags = [...html.matchAll(/<(\w+)((?:\s[^>]*)?)>/g)];
    expect(tags.length).toBeGreaterThan(10);
    for (const [whole, tag = ''] of tags) {
      expect(TAGS, whole).toContain(tag);
      expect(whole).not.toMatch(/\s(?:class|style|id|on\w+)=/);
    }
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) {
      expect(LINKS).toContain(href);
    }
    for (const tag of TAGS.filter((name) => name !== 'br')) {
      const opened = html.match(new RegExp(`<${tag}[ >]`, 'g'))?.length ?? 0;
      expect(html.split(`</${tag}>`).length - 1, tag).toBe(opened);
    }
  });
});

describe.each(POLICY_SLUGS)('the built-in text of /%s', (slug) => {
  // What only some APIs offer is told besides.
  const html = policyHtmlOf(onlyOffered(read(`src/catalogue/policies/${slug}.md`), () => false));

  test('has 400 to 900 words', () => {
    expect(words(html).length).toBeGreaterThanOrEqual(400);
    expect(words(html).length).toBeLessThanOrEqual(900);
  });

  test('[spec 9.policies.5] names the grievance officer and when the phone is answered', () => {
    expect(html).toContain('{{grievanceOfficerName}}');
    expect(html).toContain('{{grievanceOfficerDesignation}}');
    expect(html).toContain('{{grievanceOfficerHours}}');
    expect(VALUES.grievanceOfficerHours).toBe('Monday to Friday 10:00-17:00');
  });
});

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
  ['privacy', 'only owners can download orders, every change and every download is recorded', '[fault 124]'],
] as const)('/%s says: %s %s', (...[slug, text]) => {
  expect(policyHtml(slug, STORE).replace(/<[^>]*>/g, '')).toContain(text);
});

test('a line about what an API may offer stands only where it does', () => {
  const linkToData = 'href="/account-data"';
  expect(policyHtml('privacy', STORE)).not.toContain(linkToData);
  vi.stubGlobal('__OFFERS__', { accountData: true });
  expect(policyHtml('privacy', STORE)).toContain(linkToData);
  expect(policyHtml('privacy', STORE)).not.toContain('carries our e-mails');
  vi.stubGlobal('__OFFERS__', { letters: true });
  const told = { mailCarrier: 'Post <&> Sons', retention: [{ what: 'a link', days: 1, after: 'its use' }] };
  const html = policyHtml('privacy', { ...STORE, ...told });
  expect(html).toContain('Some things go by themselves: a link (1 day after its use).');
  const long = [
    { what: 'a message', days: 1_095, after: 'the answer' },
    { what: 'a device', days: 400, after: 'its use' },
  ];
  expect(policyHtml('privacy', { ...STORE, retention: long })).toContain(
    'a message (3 years after the answer); a device (400 days after its use).',
  );
  expect(html).toContain('Post &lt;&amp;&gt; Sons, which carries our e-mails');
  expect(policyHtml('privacy', STORE)).toContain('A mail provider, which carries our e-mails');
});

test.each([
  ['https://news.example/join', 'https://news.example/join'],
  ['http://news.example/join', ''],
  ['javascript:alert(1)', ''],
  ['join us', ''],
])('leads to the newsletter page %s of a store record as %j', (newsletterUrl, shown) => {
  expect(describedStore(v.parse(StoreInfoReader, { newsletterUrl })).newsletterUrl).toBe(shown);
});
