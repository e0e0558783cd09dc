import { JSDOM } from 'jsdom';
import sanitizeHtml from 'sanitize-html';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { policyHtml } from '#catalogue/policies.ts';
import { fillPlaceholders } from '#domain/policy.ts';
import { policyHtmlOf } from '#domain/policy-markdown.ts';
import { POLICY_MARKUP } from '#domain/policy-markup.ts';
import type { StoreInfo } from '#domain/store-info.ts';

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

const clean = (terms: string): string => policyHtml('terms', storeWith(terms));

test.each([
  ['a script', '<p>a</p><script>alert(1)</script>', '<p>a</p>'],
  ['handler, style and class', '<p onclick="alert(1)" style="color:red" class="x">a</p>', '<p>a</p>'],
  ['a form', '<form action="https://e.example"><input name="password"><p>a</p></form>', '<p>a</p>'],
  ['base, meta and link', '<base href="//e"><meta http-equiv="refresh"><link rel="stylesheet">a', 'a'],
  ['a split script address', '<a href="java\tscript:alert(1)">a</a>', '<a>a</a>'],
  ['an address without a scheme', '<a href="//e.example">a</a>', '<a>a</a>'],
  ['a data picture', 'a<img src="data:image/svg+xml,x" onerror="x()">', 'a<img alt="" loading="lazy" />'],
])('[spec 2.policies.6] %s does not survive', (_name, html, expected) => {
  expect(clean(`<p>b</p>${html}`)).toBe(`<p>b</p>${expected}`);
});

test('headings of the text are below the heading of the page', () => {
  expect(clean('<h1>Terms</h1><p>a</p>')).toBe('<h2>Terms</h2><p>a</p>');
});

test('ids and the links to them get a prefix', () => {
  expect(clean('<h2 id="main">a</h2><a href="#main">b</a>')).toBe(
    '<h2 id="policy-main">a</h2><a href="#policy-main">b</a>',
  );
});

test('links to the shop, mailto and tel are preserved', () => {
  const html =
    '<p><a href="/orders">a</a> <a href="mailto:{{companyEmail}}">b</a> <a href="tel:{{companyPhone}}">c</a></p>';
  expect(clean(html)).toBe(
    '<p><a href="/orders">a</a> <a href="mailto:care@ripe.example">b</a> <a href="tel:+91 11111 22222">c</a></p>',
  );
});

test('[spec 2.policies.3] values are escaped, and the logo is a picture', () => {
  expect(clean('<p>{{companyName}}</p><img src="{{companyLogoUrl}}">')).toBe(
    '<p>Ripe &lt;b&gt;&amp; Co</p><img src="https://ripe.example/logo.png" alt="" loading="lazy" />',
  );
});

test('a placeholder cannot insert a javascript: URL', () => {
  const html = policyHtml(
    'terms',
    storeWith('<p><a href="{{companyEmail}}">a</a></p>', { companyEmail: 'javascript:alert(1)' }),
  );
  expect(html).toBe('<p><a>a</a></p>');
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
const VALUES = {
  companyName: 'Ripe *& Co*',
  companyEmail: 'a_b_c@ripe.example',
  whatsapp: '+91 98765 43210',
};

/** The sanitised result. */
const pageOf = (text: string): string =>
  sanitizeHtml(fillPlaceholders(policyHtmlOf(text), VALUES), POLICY_MARKUP).trim();

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
