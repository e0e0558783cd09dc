import { globSync, readdirSync, readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';
import sanitizeHtml from 'sanitize-html';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { describedStore } from '#catalogue/catalogue.ts';
import { policyHtml } from '#catalogue/policies.ts';
import { onlySupported } from '#domain/capabilities.ts';
import { fillPlaceholders, isPolicySlug, POLICIES, POLICY_SLUGS, placeholderValues } from '#domain/policy.ts';
import { policyHtmlOf } from '#domain/policy-markdown.ts';
import { POLICY_MARKUP } from '#domain/policy-markup.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { paths } from '#paths.ts';

const read = (file: string): string => readFileSync(file, 'utf8');

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

const files = globSync(['src/catalogue/policies/*.md', 'scripts/demo/policies/*.md']);

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
  expect(readdirSync('src/catalogue/policies')).toEqual(POLICY_SLUGS.map((slug) => `${slug}.md`).toSorted());
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

const HOST = 'https://evil.example';

/** Texts that call `pwned` if a page ever runs them, or that try to lead elsewhere. */
const ATTACKS: readonly string[] = [
  '<script>pwned()</script>',
  '</script><script>pwned()</script>',
  '<img src=x onerror=pwned()>',
  '<svg onload=pwned()>',
  '<svg><script>pwned()</script></svg>',
  '"><img src=x onerror=pwned()>',
  "'><img src=x onerror=pwned()>",
  '" onfocus=pwned() autofocus x="',
  '<iframe srcdoc="<script>parent.pwned()</script>">',
  '<details open ontoggle=pwned()>',
  '<a href="javascript:pwned()">x</a>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=pwned()>',
  '<template><img src=x onerror=pwned()></template>',
  '<!--<script>pwned()//-->',
  '{{constructor.constructor("pwned()")()}}',
  `\${pwned()}`,
  'javascript:pwned()',
  ' javascript:pwned()',
  'java\nscript:pwned()',
  'data:text/html,<script>opener?.pwned()</script>',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="pwned()"/>',
  'vbscript:pwned()',
  'blob:https://evil.example/x',
  'file:///etc/passwd',
  '//evil.example/x',
  '\\\\evil.example\\x',
  `${HOST}/x`,
  'intent://pay#Intent;scheme=upi;end',
  'upi://pay?pa=x@y&am=1',
  '\u2028alert\u2029',
  '\u202egnirts siht',
  '<style>*{display:none}</style>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
];

const storeWith = (terms: string, more: Partial<StoreInfo> = {}): StoreInfo => ({
  ...v.parse(StoreInfoSchema, {}),
  companyName: 'Ripe <b>& Co',
  companyEmail: 'care@ripe.example',
  companyPhone: '+91 11111 22222',
  companyLogoUrl: 'https://ripe.example/logo.png',
  policies: new Map([['terms', terms]]),
  ...more,
});

const clean = (terms: string, more?: Partial<StoreInfo>): string =>
  policyHtml('terms', storeWith(terms, more));

const SHOP_LINKS =
  '<a href="/orders">a</a> <a href="mailto:{{companyEmail}}">b</a> <a href="tel:{{companyPhone}}">c</a>';

test.each([
  ['[spec 2.policies.6] no script', '<p>a</p><script>alert(1)</script>', '<p>a</p>'],
  ['no handler, style and class', '<p onclick="alert(1)" style="color:red" class="x">a</p>', '<p>a</p>'],
  ['no form', '<form action="https://e.example"><input name="password"><p>a</p></form>', '<p>a</p>'],
  ['no base, meta and link', '<base href="//e"><meta http-equiv="refresh"><link rel="stylesheet">a', 'a'],
  ['no split script address', '<a href="java\tscript:alert(1)">a</a>', '<a>a</a>'],
  ['no address without a scheme', '<a href="//e.example">a</a>', '<a>a</a>'],
  ['no data picture', 'a<img src="data:image/svg+xml,x" onerror="x()">', 'a<img alt="" loading="lazy" />'],
  ['headings below the heading of the page', '<h1>Terms</h1><p>a</p>', '<h2>Terms</h2><p>a</p>'],
  [
    'ids, and the links to them, with a prefix',
    '<h2 id="main">a</h2><a href="#main">b</a>',
    '<h2 id="policy-main">a</h2><a href="#policy-main">b</a>',
  ],
  [
    'links to the shop, mailto and tel',
    SHOP_LINKS,
    SHOP_LINKS.replace('{{companyEmail}}', 'care@ripe.example').replace(
      '{{companyPhone}}',
      '+91 11111 22222',
    ),
  ],
  [
    '[spec 2.policies.3] values escaped, and the logo as a picture',
    '<p>{{companyName}}</p><img src="{{companyLogoUrl}}">',
    '<p>Ripe &lt;b&gt;&amp; Co</p><img src="https://ripe.example/logo.png" alt="" loading="lazy" />',
  ],
])('a policy has %s', (_name, html, expected) => {
  expect(clean(`<p>b</p>${html}`)).toBe(`<p>b</p>${expected}`);
});

test('a placeholder cannot insert a javascript: URL', () => {
  const html = '<p><a href="{{companyEmail}}">a</a></p>';
  expect(clean(html, { companyEmail: 'javascript:alert(1)' })).toBe('<p><a>a</a></p>');
});

test.each([
  ['where the server has none', new Map()],
  ['where the server sends nothing', new Map([['terms', '  ']])],
  ['where nothing is left of what the server sends', new Map([['terms', '<script>1</script><p> </p>']])],
])('[spec 2.policies.4] shows the built-in text: %s', (_name, policies) => {
  expect(policyHtml('terms', { ...storeWith(''), policies })).toContain('Who sells to you');
});

test('a placeholder within a value is not filled', () => {
  const values = { companyName: '{{companyEmail}}', companyEmail: 'x' };
  expect(fillPlaceholders('{{companyName}}', values)).toBe('{{companyEmail}}');
});

const SAFE_TAGS = 'p a b h2 br hr em code img table tbody tr td div span i u s'.split(' ');
const RIPE = {
  companyName: 'Ripe *& Co*',
  companyEmail: 'a_b_c@ripe.example',
  whatsapp: '+91 98765 43210',
};

/** The sanitised result. */
const pageOf = (text: string): string =>
  sanitizeHtml(fillPlaceholders(policyHtmlOf(text), RIPE), POLICY_MARKUP).trim();

test.each([
  '<p>a *b* {{company_name}}</p>\n\n# c',
  '\n  <h2>Returns</h2>',
  '\uFEFF<p>a</p>',
  '<!-- ours --> text',
])('a text that begins with a tag is HTML and is not changed: %j', (html) => {
  expect(policyHtmlOf(html)).toBe(html);
});

test('Markdown becomes headings, lists, tables, links and line breaks; indented text is not code', () => {
  const text =
    '# Title\n\nOne **bold**\\\nline\n\n- a\n- b\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n    [Orders](/orders)';
  expect(pageOf(text).replaceAll('\n', '')).toBe(
    '<h2>Title</h2><p>One <strong>bold</strong><br />line</p><ul><li>a</li><li>b</li></ul>' +
      '<table><thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead>' +
      '<tbody><tr><td>1</td><td>2</td></tr></tbody></table><p><a href="/orders">Orders</a></p>',
  );
});

const name = 'Ripe *&amp; Co*';
test.each([
  ['{{company_name}} and {{company_email}}', `${name} and a_b_c@ripe.example`],
  ['_{{company_name}}_ %company_name%', `<em>${name}</em> ${name}`],
  ['**{{companyName}}**में', `<strong>${name}</strong>में`],
  [`[COMPANY_NAME] \${companyName} {companyName}`, `${name} ${name} ${name}`],
  ['[companyName] %companyName% {{COMPANY_NAME}}', `${name} ${name} ${name}`],
  ['[Write](mailto:{{ company_email }})', '<a href="mailto:a_b_c@ripe.example">Write</a>'],
  ['[WhatsApp](https://wa.me/{{whatsapp}})', '<a href="https://wa.me/+91 98765 43210">WhatsApp</a>'],
  ['`{{companyName}}`', `<code>${name}</code>`],
  ['{{nobody_knows_it}} [sic] {x} 100% of it', '{{nobody_knows_it}} [sic] {x} 100% of it'],
])('[spec 2.policies.5] a placeholder in Markdown is preserved: %s', (text, html) =>
  expect(pageOf(text)).toBe(`<p>${html}</p>`),
);

test.each([
  ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
  ['![a](https://e.example/a.png)', '<p>!<a href="https://e.example/a.png">a</a></p>'],
  ['a\n\n<iframe src="https://e.example"></iframe>\n\nb', '<p>a</p>\n\n<p>b</p>'],
])('Markdown of %j is %j', (text, html) => expect(pageOf(text)).toBe(html));

test.each(ATTACKS)('nothing of %s survives, in HTML or Markdown', (attack) => {
  const html = clean(`<p>a</p>${attack}`) + pageOf(`a ${attack}\n\n${attack}\n\n[${attack}](${attack})`);
  const { document } = new JSDOM(html, { url: 'https://shop.example/' }).window;
  const found = [...document.body.querySelectorAll('*')];
  const names = new Set(found.map(({ localName }) => localName));
  expect([...names].filter((name) => !SAFE_TAGS.includes(name))).toEqual([]);
  const attributes = new Set(found.flatMap((element) => element.getAttributeNames()));
  expect([...attributes].filter((name) => !/^(?:href|src|alt|loading|id)$/.test(name))).toEqual([]);
  for (const { protocol } of document.querySelectorAll('a'))
    expect(protocol).toMatch(/^(?:https?:|mailto:|tel:|:)$/);
});
