import { parse } from 'csv-parse/sync';
import { JSDOM } from 'jsdom';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import sharp from 'sharp';
import { expect } from 'vitest';
import { Form, FormKeys, type FormProps } from '#server/admin/forms/Form.tsx';
import type { Role } from '#server/admin/roles.ts';
import { randomToken } from '#server/db/tokens.ts';
import { inviteStaffMember } from '#server/staff/command.ts';
import { findStaffMemberByEmail } from '#server/staff/stored-staff.ts';
import { type Ask, testApi } from './api.ts';
import { runSql } from './rows.ts';

export const ADMIN_PASSWORD = 'mangoes before monsoon';
export const ORIGIN = 'http://localhost:8044';

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A window takes three times as long as the document in it, so that all pages share one. */
const { DOMParser } = new JSDOM().window;
const parser = new DOMParser();

/** The document of a page. */
export const documentOf = (html: string): Document => parser.parseFromString(html, 'text/html');

/** The text of its main part, with single spaces. */
export const mainText = (html: string): string =>
  (documentOf(html).querySelector('main')?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

/** The texts of the cells in each row of a page's tables, with single spaces. @param within a selector */
export const tableRows = (html: string, within = 'main'): string[][] =>
  [...documentOf(html).querySelectorAll(`${within} tr:has(td)`)].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent.replaceAll(/\s+/g, ' ').trim()),
  );

/** Expects a page with this status and this text in its main part. */
export const expectPage = (page: { status: number; text: string }, status: number, part: string): void =>
  expect([page.status, mainText(page.text)]).toEqual([status, expect.stringContaining(part)]);

/** A form as a page of the admin has it. */
export const renderForm = (props: FormProps): string =>
  renderToStaticMarkup(createElement(FormKeys, { value: randomToken }, createElement(Form, props)));

/** Reads a CSV file as a spreadsheet does (RFC 4180). */
export const readCsv = (text: string): string[][] =>
  parse(text, { record_delimiter: '\r\n', relax_column_count: true });

/** Returns what a form of a page would send, with these fields filled in. @param action where the form is posted */
export function filledForm(html: string, action: string, fields: Fields = {}): URLSearchParams {
  const form = [...documentOf(html).querySelectorAll('form')].find(
    (found) => found.getAttribute('action') === action && found.getAttribute('method') === 'post',
  );
  if (!form) throw new Error(`The page has no form for ${action}.`);
  const sent = new URLSearchParams();
  for (const control of form.querySelectorAll('input, select, textarea')) {
    const name = control.getAttribute('name') ?? '';
    const isBox = /^(?:checkbox|radio)$/.test(control.getAttribute('type') ?? '');
    if (name === '' || (isBox && !control.hasAttribute('checked'))) continue;
    sent.append(name, 'value' in control ? String(control.value) : '');
  }
  for (const [name, value] of Object.entries(fields)) {
    sent.delete(name);
    for (const one of [value].flat()) sent.append(name, one);
  }
  return sent;
}

/** A form's fields with chosen files, as a browser sends them. */
export function withFiles(fields: URLSearchParams, name: string, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [field, value] of fields) if (field !== name) form.append(field, value);
  for (const file of files) form.append(name, file);
  return form;
}

/** A picture of one colour. */
export async function pictureFile(name: string, background: string): Promise<File> {
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background } }).png();
  return new File([new Uint8Array(await picture.toBuffer())], name, { type: 'image/png' });
}

/** An API with its admin, and browsers of its staff. */
export async function adminApi(given: Parameters<typeof testApi>[0] = {}) {
  const api = await testApi({ ...given, settings: { admin: true, ...given.settings } });
  const tools = { db: api.db, clock: api.now, settings: api.services.settings, apiOrigin: ORIGIN };

  /** A browser that sends its cookies back. */
  function browser(from = '127.0.0.1') {
    const cookies = new Map<string, string>();

    async function request(path: string, { headers = {}, ...ask }: Ask = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await api.ask(path, {
        from,
        ...ask,
        headers: { ...(cookie ? { Cookie: cookie } : {}), ...headers },
      });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/max-age=0/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return { ...answer, location: answer.headers.get('location') };
    }

    const get = (path: string, headers: Record<string, string> = {}) => request(path, { headers });

    /** Sends a form, as a browser does from a page of the admin. */
    const postOnce = (path: string, body: URLSearchParams | FormData, headers: Record<string, string>) =>
      request(path, {
        method: 'POST',
        body,
        headers: { Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin', ...headers },
      });

    /** The same, and types the password where the admin asks for it. */
    async function post(
      path: string,
      body: URLSearchParams | FormData,
      headers: Record<string, string> = {},
    ) {
      const answer = await postOnce(path, body, headers);
      const asks = answer.status === 200 && answer.text.includes('<h1>Your password</h1>');
      if (!asks) return answer;
      return postOnce(path, filledForm(answer.text, path, { current: ADMIN_PASSWORD }), headers);
    }

    /** Chooses a file in the form of a page and sends it. */
    async function upload(page: string, file: File) {
      return post(page, withFiles(filledForm((await get(page)).text, page), 'file', [file]));
    }

    /** Opens a page, fills in its form and sends it. */
    async function submit(page: string, action: string, fields: Fields = {}) {
      const { text } = await get(page);
      return post(action, filledForm(text, action, fields));
    }

    /** Chooses a password with a link for staff. */
    const takeLink = (link: string, password = ADMIN_PASSWORD) =>
      post('/admin/link', new URLSearchParams({ token: new URL(link).hash.slice(1, 44), password }));

    return { get, post, postOnce, submit, upload, takeLink, request, cookies };
  }

  /** Adds a staff member who has chosen a password, and returns the signed-in browser. */
  async function staff(role: Role, email = `${role}@example.com`, name = `The ${role}`) {
    const link = await inviteStaffMember(tools, email, role, name);
    const person = browser();
    await person.takeLink(link);
    await runSql(api.db, "DELETE FROM emails WHERE kind = 'accessChanged'");
    const found = await findStaffMemberByEmail(api.db, email);
    return { ...person, id: found?.id ?? '', email };
  }

  return { ...api, tools, browser, staff };
}
