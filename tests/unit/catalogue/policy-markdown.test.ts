import { JSDOM } from 'jsdom';
import sanitizeHtml from 'sanitize-html';
import { describe, expect, test } from 'vitest';
import { policyHtmlOf } from '#catalogue/policy-markdown.ts';
import { fillPlaceholders } from '#domain/policy.ts';
import { POLICY_MARKUP } from '#domain/policy-markup.ts';
import { ATTACKS } from '#tests/support/attacks.ts';

const VALUES = {
  companyName: 'Ripe *& Co*',
  companyEmail: 'a_b_c@ripe.example',
  whatsapp: '+91 98765 43210',
};

/** What the page has in the end. */
const pageOf = (text: string): string =>
  sanitizeHtml(fillPlaceholders(policyHtmlOf(text), VALUES), POLICY_MARKUP).trim();

test.each([
  '<p>a *b* {{company_name}}</p>\n\n# c',
  '\n  <h2>Returns</h2>',
  '\uFEFF<p>a</p>',
  '<!-- ours --> text',
])('a text that begins with a tag is HTML, byte for byte: %j', (html) => {
  expect(policyHtmlOf(html)).toBe(html);
});

test('Markdown becomes headings, lists, tables, links and line breaks; a pasted text with spaces is no code', () => {
  const text =
    '# Title\n\nOne **bold**\\\nline\n\n- a\n- b\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n    [Orders](/orders)';
  expect(pageOf(text).replaceAll('\n', '')).toBe(
    '<h2>Title</h2><p>One <strong>bold</strong><br />line</p><ul><li>a</li><li>b</li></ul>' +
      '<table><thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead>' +
      '<tbody><tr><td>1</td><td>2</td></tr></tbody></table><p><a href="/orders">Orders</a></p>',
  );
});

describe('[spec 2.policies.5] a placeholder stays one in Markdown', () => {
  const name = 'Ripe *&amp; Co*';
  test.each([
    ['{{company_name}} and {{company_email}}', `${name} and a_b_c@ripe.example`],
    ['_{{company_name}}_ %company_name%', `<em>${name}</em> ${name}`],
    ['**{{companyName}}**में', `<strong>${name}</strong>में`],
    ['*%COMPANY_NAME%*', `<em>${name}</em>`],
    [`[COMPANY_NAME] \${companyName} {companyName}`, `${name} ${name} ${name}`],
    ['[Write](mailto:{{ company_email }})', '<a href="mailto:a_b_c@ripe.example">Write</a>'],
    [
      'See <mailto:{{companyEmail}}>',
      'See <a href="mailto:a_b_c@ripe.example">mailto:a_b_c@ripe.example</a>',
    ],
    ['[WhatsApp](https://wa.me/{{whatsapp}})', '<a href="https://wa.me/+91 98765 43210">WhatsApp</a>'],
    ['`{{companyName}}`', `<code>${name}</code>`],
    ['{{nobody_knows_it}}', '{{nobody_knows_it}}'],
  ])('%s', (text, html) => {
    expect(pageOf(text)).toBe(`<p>${html}</p>`);
  });
});

describe('[fault 49] what harms does not survive in Markdown', () => {
  test.each([
    ['[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
    ['[a](data:text/html,x)', '<p>[a](data:text/html,x)</p>'],
    ['[a](//e.example)', '<p><a>a</a></p>'],
    ['![a](https://e.example/a.png)', '<p>!<a href="https://e.example/a.png">a</a></p>'],
    ['a <script>alert(1)</script><b onclick="x()">b</b>', '<p>a <b>b</b></p>'],
    ['a\n\n<iframe src="https://e.example"></iframe>\n\nb', '<p>a</p>\n\n<p>b</p>'],
    ['[a]: javascript:alert(1)\n\n[a]', '<p>[a]: javascript:alert(1)</p>\n<p>[a]</p>'],
  ])('%s', (text, html) => {
    expect(pageOf(text)).toBe(html);
  });

  test.each(ATTACKS)('%s', (attack) => {
    const html = pageOf(`a ${attack}\n\n${attack}\n\n[${attack}](${attack})`);
    const { document } = new JSDOM(html, { url: 'https://shop.example/' }).window;
    const found = [...document.body.querySelectorAll('*')];
    expect(found.map(({ localName }) => localName)).toEqual(
      found.map(() =>
        expect.stringMatching(/^(?:p|a|b|h2|br|hr|em|code|img|table|tbody|tr|td|div|span|i|u|s)$/),
      ),
    );
    const attributes = found.flatMap((element) => element.getAttributeNames());
    expect(attributes.filter((name) => !/^(?:href|src|alt|loading|id)$/.test(name))).toEqual([]);
    for (const { protocol } of document.querySelectorAll('a'))
      expect(protocol).toMatch(/^(?:https?:|mailto:|tel:|:)$/);
  });
});
