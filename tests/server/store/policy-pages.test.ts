import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { policyHtml } from '#catalogue/policies.ts';
import { policyHtmlOf } from '#domain/policy-markdown.ts';
import { policy, requireStore } from '#server/store/stored-store.ts';
import { adminApi, documentOf, filledForm, mainText } from '#tests/server/support/admin.ts';
import { listenLocally } from '#tests/support/free-port.ts';

const LIST = '/admin/policies';
const TERMS = `${LIST}/terms`;
const BUILT_IN = readFileSync('src/catalogue/policies/terms.md', 'utf8');

const PAGES: Readonly<Record<string, string>> = {
  '/terms':
    '<!DOCTYPE html><html lang="en-IN"><head><meta charset="utf-8"><title>Terms</title><style>.policy-text{color:red}</style><script>pwned()</script></head><body><h1>Terms</h1><div class="policy-text" lang="en-IN"><p>Live &amp; old</p></div><footer>Ours</footer></body></html>',
  '/privacy': '<!DOCTYPE html><html><head></head><body><p>Another version</p></body></html>',
};

/** The origin of a site with a few pages like the shop's. */
let site = '';
beforeAll(async () => {
  const server = createServer(({ url = '' }, response) => {
    const page = PAGES[url];
    response.writeHead(page ? 200 : 404, { 'Content-Type': 'text/html' }).end(page);
  });
  site = await listenLocally(server);
  return () => server.close();
});

async function policyAdmin() {
  const api = await adminApi({ settings: { siteOrigins: [site] } });
  const editor = await api.staff('editor');
  const stored = () => policy(api.db, 'terms');
  const forms = new Map<string, URLSearchParams>();
  const preview = async (text: string, slug = 'terms') => {
    const page = `${LIST}/${slug}`;
    const form = forms.get(slug) ?? filledForm((await editor.get(page)).text, page);
    forms.set(slug, form);
    form.set('text', text);
    const answer = await editor.post(`${page}/preview`, form);
    return { ...answer, document: documentOf(answer.text) };
  };
  return { ...api, editor, stored, preview };
}

test('starts an own policy from the built-in text, and restores it', async () => {
  const { editor, stored } = await policyAdmin();
  const form = filledForm((await editor.get(TERMS)).text, TERMS);
  expect(form.get('text')).toBe(BUILT_IN.replace(/\r\n/g, '\n'));
  await editor.post(TERMS, filledForm((await editor.get(TERMS)).text, TERMS, { text: '<p>Ours</p>' }));
  expect(await stored()).toBe('<p>Ours</p>');
  expect(mainText((await editor.get(LIST)).text)).toContain('Terms & ConditionsYour own text');
  expect((await editor.submit(TERMS, TERMS, { text: ' ' })).status).toBe(303);
  expect(await stored()).toBeUndefined();
  await editor.submit(TERMS, TERMS, { text: BUILT_IN });
  expect(await stored()).toBeUndefined();
});

test('stores Markdown as written and sends it as HTML, and sends HTML unchanged', async () => {
  const { editor, ask, pass, stored } = await policyAdmin();
  const sent = async () => {
    pass(1_000);
    const { json } = await ask('/storeInfo');
    return v.parse(StoreInfoSchema, json).policies.get('terms');
  };
  const text = '## Ours\n\nWrite to [us](mailto:{{company_email}}).';
  await editor.submit(TERMS, TERMS, { text });
  expect(await stored()).toBe(text);
  expect(await sent()).toBe('<h2>Ours</h2>\n<p>Write to <a href="mailto:{{companyEmail}}">us</a>.</p>\n');
  const html = '<p>a *b*</p>\n\n# c {{company_name}}';
  await editor.submit(TERMS, TERMS, { text: html });
  expect(await sent()).toBe(html);
});

test('refuses a too long text, and keeps it in the form', async () => {
  const { editor, stored } = await policyAdmin();
  const long = 'अ'.repeat(200_001);
  const answer = await editor.submit(TERMS, TERMS, { text: long });
  expect(answer.status).toBe(422);
  expect(filledForm(answer.text, TERMS).get('text')).toBe(long);
  expect(await stored()).toBeUndefined();
});

test('previews the live page with the new text, sanitised and with filled placeholders, without saving', async () => {
  const { preview, db, stored } = await policyAdmin();
  const text = '# Hello\n\n{{companyName}} [up](#a)\n\n<script>alert(1)</script>';
  const { status, headers, document } = await preview(text);
  const record = await requireStore(db);
  const page = policyHtml('terms', {
    ...v.parse(StoreInfoSchema, record),
    policies: new Map([['terms', policyHtmlOf(text)]]),
  });
  expect(status).toBe(200);
  expect(document.querySelector('.policy-text')?.innerHTML).toBe(page);
  expect(document.querySelector('footer')?.textContent).toBe('Ours');
  expect(document.querySelectorAll('script')).toHaveLength(0);
  expect(document.querySelector('base')?.getAttribute('href')).toBe(`${site}/terms`);
  expect(document.body.textContent).toContain('Nothing is saved yet.');
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; base-uri ${site}; form-action 'none'; frame-ancestors 'none'; sandbox`,
  );
  expect(await stored()).toBeUndefined();
});

test.each([
  ['privacy', 'is of another version'],
  ['about', 'answered with status 404'],
])('shows the text alone, with the reason, if the live page /%s cannot be used', async (slug, reason) => {
  const { preview } = await policyAdmin();
  const { document } = await preview('## Ours\n\n{{companyName}}', slug);
  expect(document.querySelector('main section')?.textContent).toContain(reason);
  expect(document.querySelector('[aria-label="The text alone"] h2')?.textContent).toBe('Ours');
});

test('runs nothing of a hostile text in the preview, with or without the live page', async () => {
  const { preview } = await policyAdmin();
  const attack =
    '</textarea><script>alert(1)</script><img src=x onerror=alert(1)></div><form action="//evil.example"></form>';
  for (const [slug, place, before] of [
    ['terms', '.policy-text', '<p>a</p>'],
    ['about', '[aria-label="The text alone"]', 'a '],
  ] as const) {
    const { document } = await preview(before + attack, slug);
    const text = document.querySelector(place);
    expect(text?.textContent).toMatch(/^\s*a/);
    expect(text?.querySelectorAll('script, form, [onerror]')).toHaveLength(0);
    expect(document.querySelectorAll('form[action^="//"]')).toHaveLength(0);
  }
});
