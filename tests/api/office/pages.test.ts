import { expect, test } from 'vitest';
import { SITE } from '#tests/api/support/api.ts';
import { openEmptyDatabase } from '#tests/api/support/databases.ts';
import { documentOf, mainText, officeApi } from '#tests/api/support/office.ts';

test('every page has the office’s own headers, and none of CORS', async () => {
  const { staff, browser } = await officeApi();
  const owner = await staff('owner');
  for (const path of ['/office', '/office/staff', '/office/nothing', '/office/sign-in']) {
    for (const one of [owner, browser()]) {
      const { headers } = await one.get(path, { Origin: SITE });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data: blob: https: http://localhost:8044; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
    }
  }
  const preflight = await owner.request('/office/staff', {
    method: 'OPTIONS',
    headers: { Origin: SITE, 'Access-Control-Request-Method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
});

test('[fault 93, 38] beside the office, the API’s calls answer as before', async () => {
  const { ask, staff } = await officeApi();
  const owner = await staff('owner');
  const unknown = await ask('/api/v1/nothing');
  expect([unknown.status, unknown.json]).toEqual([404, { error: 'Not found' }]);
  expect((await ask('/api/v1/products', { method: 'PUT' })).status).toBe(405);
  expect(
    (await ask('/api/v1/products', { headers: { Origin: SITE } })).headers.get('access-control-allow-origin'),
  ).toBe(SITE);
  expect((await owner.get('/api/v1/accountInfo')).status).toBe(401);
});

test('unknown addresses, unknown methods and mistakes of ours are pages of the office', async () => {
  const db = await openEmptyDatabase();
  const { staff, lines } = await officeApi({
    db: {
      ...db,
      all: (row, sql, ...values) =>
        sql.includes('FROM orders')
          ? Promise.reject(new TypeError('a bug in orders'))
          : db.all(row, sql, ...values),
    },
  });
  const owner = await staff('owner');
  for (const [method, path] of [
    ['GET', '/office/nothing'],
    ['PUT', '/office/staff'],
    ['GET', '/office/staff/no-such-person'],
  ] as const) {
    const answer = await owner.request(path, { method, headers: { Origin: 'http://localhost:8044' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
    expect(answer.text).toContain('Page not found · Office');
  }
  const broken = await owner.get('/office');
  expect([broken.status, mainText(broken.text)]).toEqual([
    500,
    expect.stringContaining('Something went wrong'),
  ]);
  expect(broken.text).not.toContain('a bug');
  expect(lines.some(({ event }) => event === 'unexpected error')).toBe(true);
});

test('a form of more than 64 KiB, without an end, or with a zero byte is refused', async () => {
  const { staff } = await officeApi();
  const owner = await staff('owner');
  const huge = new URLSearchParams({ name: 'x'.repeat(65_536) });
  expect((await owner.post('/office/staff', huge)).status).toBe(413);
  const broken = await owner.request('/office/staff', {
    body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x', Origin: 'http://localhost:8044' },
  });
  expect(broken.status).toBe(400);
  const zero = { name: 'a\0b', email: 'zero@example.com', role: 'packer' };
  expect((await owner.submit('/office/staff/new', '/office/staff', zero)).status).toBe(422);
  for (const path of ['log?who=%00', 'orders/%00', 'catalogue/products/%00', 'staff/%00'])
    expect([path, (await owner.get(`/office/${path}`)).status]).toEqual([path, expect.toBeOneOf([404, 422])]);
});

test('the navigation holds what the role may open, and marks the open page', async () => {
  const { staff } = await officeApi();
  const [owner, packer] = [await staff('owner'), await staff('packer')];
  const links = (html: string) => [...documentOf(html).querySelectorAll('nav a')].map((a) => a.textContent);
  const page = (await owner.get('/office/staff/new')).text;
  expect(links(page)).toEqual(expect.arrayContaining(['Staff', 'Log']));
  expect(documentOf(page).querySelector('nav [aria-current=page]')?.textContent).toBe('Staff');
  expect(links((await packer.get('/office')).text)).not.toContain('Staff');
});

test('the style sheet’s address changes with its content, and browsers keep it', async () => {
  const { browser } = await officeApi();
  const path = documentOf((await browser().get('/office/sign-in')).text)
    .querySelector('[rel=stylesheet]')
    ?.getAttribute('href');
  const answer = await browser().get(path ?? '');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(answer.headers.get('cache-control')).toContain('immutable');
  expect((await browser().get('/office/assets/office.css')).status).toBe(404);
});

test('hostile names are shown as text', async () => {
  const { staff } = await officeApi();
  const owner = await staff('owner', 'owner@example.com', '<img src=x onerror=alert(1)>"\'&');
  for (const path of ['/office', '/office/staff', `/office/staff/${owner.id}`, '/office/log']) {
    const { text } = await owner.get(path);
    expect(documentOf(text).querySelectorAll('img, script')).toHaveLength(0);
    expect(text).not.toContain('<img');
  }
});
