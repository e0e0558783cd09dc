import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { StoreInfoReader } from '#api/schema/store-info.ts';
import { policyHtml } from '#catalogue/policies.ts';
import { policy, storeRecord } from '#scripts/api/store/edit-store.ts';
import { documentOf, filledForm, mainText, officeApi } from '#tests/api/support/office.ts';
import { ATTACKS } from '#tests/support/attacks.ts';

const LIST = '/office/policies';
const TERMS = `${LIST}/terms`;
const BUILT_IN = readFileSync('src/catalogue/policies/terms.md', 'utf8');

async function desk() {
  const api = await officeApi();
  const editor = await api.staff('editor');
  const stored = () => policy(api.db, 'terms');
  const preview = async (text: string) => {
    const fields = filledForm((await editor.get(TERMS)).text, TERMS, { text });
    const answer = await editor.post(`${TERMS}/preview`, fields);
    return { ...answer, html: documentOf(answer.text).querySelector('.preview') };
  };
  return { ...api, editor, stored, preview };
}

test('the built-in text is the beginning of one’s own, and comes back', async () => {
  const { editor, stored } = await desk();
  const form = filledForm((await editor.get(TERMS)).text, TERMS);
  expect(form.get('text')).toBe(BUILT_IN.replace(/\r\n/g, '\n'));
  await editor.post(TERMS, filledForm((await editor.get(TERMS)).text, TERMS, { text: '<p>Ours</p>' }));
  expect(await stored()).toBe('<p>Ours</p>');
  expect(mainText((await editor.get(LIST)).text)).toContain('Terms & ConditionsYour own text');
  expect((await editor.submit(TERMS, `${TERMS}/built-in`)).status).toBe(303);
  expect(await stored()).toBeUndefined();
});

test('a text in Markdown is stored as it was written and sent as HTML, and HTML is sent byte for byte', async () => {
  const { editor, ask, pass, stored } = await desk();
  const sent = async () => {
    pass(1_000);
    const { json } = await ask('/storeInfo');
    return v.parse(StoreInfoReader, json).policies.get('terms');
  };
  const text = '## Ours\n\nWrite to [us](mailto:{{company_email}}).';
  await editor.submit(TERMS, TERMS, { text });
  expect(await stored()).toBe(text);
  expect(await sent()).toBe('<h2>Ours</h2>\n<p>Write to <a href="mailto:{{companyEmail}}">us</a>.</p>\n');
  const html = '<p>a *b*</p>\n\n# c {{company_name}}';
  await editor.submit(TERMS, TERMS, { text: html });
  expect(await sent()).toBe(html);
});

test('a text whose HTML would be longer than a build reads is refused', async () => {
  const { editor, stored } = await desk();
  const { status, text } = await editor.submit(TERMS, TERMS, { text: 'a\n\n'.repeat(40_000) });
  expect([status, mainText(text)]).toEqual([
    422,
    expect.stringContaining('characters as the HTML of a page'),
  ]);
  expect(await stored()).toBeUndefined();
});

test('an empty or too long text is refused, and stays in the form', async () => {
  const { editor, stored } = await desk();
  expect(mainText((await editor.submit(TERMS, TERMS, { text: '  ' })).text)).toContain(
    'Text must not be empty',
  );
  const long = 'अ'.repeat(200_001);
  const answer = await editor.submit(TERMS, TERMS, { text: long });
  expect(answer.status).toBe(422);
  expect(filledForm(answer.text, TERMS).get('text')).toBe(long);
  expect(await stored()).toBeUndefined();
});

test('the preview is what the shop’s page will show, and saves nothing', async () => {
  const { preview, db, stored } = await desk();
  const text = '<h1>Hello</h1><p id="a">{{companyName}} <a href="#a">up</a></p><script>alert(1)</script>';
  const { html, status } = await preview(text);
  const record = await storeRecord(db);
  const page = policyHtml('terms', {
    ...v.parse(StoreInfoReader, record),
    policies: new Map([['terms', text]]),
  });
  expect(status).toBe(200);
  expect(html?.innerHTML).toContain(page);
  expect(await stored()).toBeUndefined();
});

test('[fault 49, 103] nothing of a hostile text runs in the preview or in the form', async () => {
  const { preview } = await desk();
  const more = [
    '</textarea><script>alert(1)</script>',
    '<form action="//evil.example"><button>x</button></form>',
  ];
  for (const attack of [...ATTACKS, ...more]) {
    const { text, html } = await preview(`<p>a</p>${attack}`);
    const page = documentOf(text);
    expect(
      page.querySelectorAll(
        'script, iframe, object, svg, base, style, [onerror], [onload], [onclick], [style]',
      ),
      attack,
    ).toHaveLength(0);
    expect(
      html?.querySelectorAll('form, input, button, [href^="javascript:"], [href^="data:"]'),
      attack,
    ).toHaveLength(0);
    expect(page.querySelector('textarea')?.value, attack).toBe(`<p>a</p>${attack}`);
  }
});

test('[fault 102] of two editors the later one sees what differs', async () => {
  const { editor, staff, stored } = await desk();
  const other = await staff('editor', 'other@example.com');
  const mine = filledForm((await editor.get(TERMS)).text, TERMS, { text: '<p>Same</p>\n<p>Mine</p>' });
  await other.submit(TERMS, TERMS, { text: '<p>Same</p>\n<p>Theirs</p>' });
  const answer = await editor.post(TERMS, mine);
  expect(answer.status).toBe(409);
  const cells = [...documentOf(answer.text).querySelectorAll('.notice td')].map((cell) => cell.textContent);
  expect(cells).toEqual(['Text', '<p>Mine</p>', '<p>Theirs</p>']);
  expect(await stored()).toBe('<p>Same</p>\n<p>Theirs</p>');
  await editor.post(TERMS, filledForm(answer.text, TERMS));
  expect(await stored()).toBe('<p>Same</p>\n<p>Mine</p>');
});

test('an unknown policy has no page', async () => {
  const { editor } = await desk();
  for (const slug of ['login', '__proto__', '..%2fx'])
    expect((await editor.get(`${LIST}/${slug}`)).status).toBe(404);
});
