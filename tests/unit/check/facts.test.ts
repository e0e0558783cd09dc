import { globSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { PAGE_LIMIT } from '#api/requests.ts';
import { TOKEN_COOKIE } from '#api/token-cookie.ts';
import { PASSWORD_MINIMUM } from '#domain/account.ts';
import { MAX_REASON_LENGTH } from '#domain/order-returns.ts';
import { KEPT } from '#scripts/publish/release/releases.ts';
import { MAX_UPLOAD_BYTES } from '#server/admin/forms/record-editor.tsx';
import { MAX_PICTURES } from '#server/catalogue/products/product-form.ts';
import { contactCall } from '#server/contact/contact.ts';
import { SESSION } from '#server/customers/sessions.ts';
import { CLAIM, TAKE_BACK_WITHIN } from '#server/email/outbox.ts';
import { EMAIL_RETRIES, GIVE_UP_AFTER } from '#server/email/send.ts';
import { MAX_UNVERIFIED } from '#server/email/verification.ts';
import { SHARED } from '#server/http/cached-answer.ts';
import { CONNECTIONS } from '#server/limits/table.ts';
import { CACHE_CONTROL } from '#server/pictures/show-image.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#server/process/clock.ts';
import { LOCAL_API, PORTS } from '#server/settings/settings.ts';
import { MIN_PASSWORD_LENGTH } from '#server/staff/forms.ts';
import { SESSION as STAFF_SESSION } from '#server/staff/session.ts';
import { PASSWORD_LINK } from '#server/staff/stored-staff.ts';

const textOf = (file: string): string => readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
const word = (count: number): string => ['no', 'one', 'two', 'three', 'four', 'five', 'six'][count] ?? '';

const SESSION_DAYS = SESSION.minutes / (24 * 60);
const [, ...shortRetries] = EMAIL_RETRIES.toReversed().map((pause) => pause / MINUTE);
const retries = shortRetries.toReversed();
const POLICIES = globSync('src/catalogue/policies/*.md');
const COMPLAINTS = /Your complaint is acknowledged within [^.]*\./;

/** Texts that cannot be made of the constant: documents, translations, other programs' files, and small scripts. */
it.each([
  ['src/domain/account.ts', `Password must be at least ${PASSWORD_MINIMUM} characters`],
  ['src/islands/auth/AccountForm.tsx', `At least ${PASSWORD_MINIMUM} characters`],
  ['src/i18n/hi-islands.ts', `'कम से कम ${PASSWORD_MINIMUM} अक्षर'`],
  ['.github/SECURITY.md', `Passwords of ${word(PASSWORD_MINIMUM)} characters`],
  ['.github/SECURITY.md', `any ${PASSWORD_MINIMUM}; the staff's have ${MIN_PASSWORD_LENGTH} or more`],
  ['src/server/admin/EDITORS.md', `a password of at least ${MIN_PASSWORD_LENGTH} characters`],

  ['src/api/token.ts', `const DAYS = ${SESSION_DAYS};`],
  ['src/domain/stored-data.ts', `${TOKEN_COOKIE}: ['Your sign-in', 'A cookie that keeps you signed in for`],
  ['src/domain/stored-data.ts', `keeps you signed in for ${SESSION_DAYS} days`],
  ['src/i18n/hi-shop.ts', `आपको ${SESSION_DAYS} दिन साइन इन`],
  ['src/catalogue/policies/privacy.md', `**${TOKEN_COOKIE}**, keeps you signed in for ${SESSION_DAYS} days`],
  ['.github/SECURITY.md', `(\`${TOKEN_COOKIE}\`, ${SESSION_DAYS} days)`],
  ['src/server/README.md', `end after ${SESSION_DAYS} days`],
  ['src/server/admin/EDITORS.md', `You stay signed in for ${STAFF_SESSION.minutes / 60} hours`],
  ['src/server/admin/EDITORS.md', `The ${STAFF_SESSION.minutes / 60} hours are over`],

  ['src/server/README.md', `chooses a password, once, within ${PASSWORD_LINK.minutes} minutes`],
  ['src/server/admin/EDITORS.md', `It opens once, within ${PASSWORD_LINK.minutes} minutes`],
  ['scripts/hosting/README.md', `choose a password within ${PASSWORD_LINK.minutes} minutes`],

  ['src/server/README.md', `another one sends the email after ${CLAIM / SECOND} seconds`],
  [
    'src/server/README.md',
    `after ${retries.slice(0, -1).join(', ')} and ${retries.at(-1)} minutes, then every`,
  ],
  ['src/server/README.md', `then every ${word((EMAIL_RETRIES.at(-1) ?? 0) / HOUR)} hours`],
  ['src/server/README.md', `After ${word(GIVE_UP_AFTER / DAY)} days (to a full mailbox`],
  ['src/server/README.md', `at most ${word(MAX_UNVERIFIED)} emails an hour`],
  ['src/server/admin/EDITORS.md', `retries an email for up to ${word(GIVE_UP_AFTER / DAY)} days`],
  [
    'src/server/admin/EDITORS.md',
    `within ${word(TAKE_BACK_WITHIN / MINUTE)} minutes the customer hears nothing`,
  ],

  ['src/server/README.md', `\`${SHARED}\``],
  ['src/server/README.md', `\`${CACHE_CONTROL}\``],
  ['scripts/hosting/one-machine/nginx.conf', `limit_conn shop_line ${CONNECTIONS.line};`],
  ['scripts/hosting/one-machine/nginx.conf', `limit_conn shop_network ${CONNECTIONS.network};`],
  ['scripts/hosting/one-machine/nginx.conf', `client_max_body_size ${MAX_UPLOAD_BYTES / 1024 ** 2}m;`],
  ['scripts/publish/README.md', `The last ${word(KEPT)} releases stay`],

  ['src/api/addresses.ts', `const LOCAL_HOST = '${LOCAL_API}';`],
  ['src/catalogue/images/fetch-image.ts', `const LOCAL_API_PORT = '${PORTS.api}';`],
  ['README.md', `the shop on http://localhost:${PORTS.site}, its API on ${LOCAL_API}`],
  ['.github/CONTRIBUTING.md', `http://localhost:${PORTS.site} shows each change`],
  ['scripts/hosting/one-machine/nginx.conf', `server 127.0.0.1:${PORTS.api};`],
  ['scripts/hosting/one-machine/Caddyfile', `reverse_proxy 127.0.0.1:${PORTS.api} {`],
  ['scripts/hosting/three-machines/shop.env', `PUBLISH_HOOK=http://10.0.0.10:${PORTS.watcher}`],

  ['src/api/schema/order.ts', `reason: text(${MAX_REASON_LENGTH}),`],
  ['src/api/schema/product.ts', `const IMAGE_LIMIT = ${MAX_PICTURES};`],
  ['src/server/catalogue/calls.ts', `const MAX_PAGE_SIZE = ${PAGE_LIMIT};`],
  ...POLICIES.filter((file) => COMPLAINTS.test(textOf(file))).map((file): [string, string] => [
    file,
    COMPLAINTS.exec(textOf('src/catalogue/policies/terms.md'))?.[0] ?? '',
  ]),
])('%s says: %s', (file, text) => {
  expect(textOf(file)).toContain(text);
});

it('the contact form takes as many characters as the API', () => {
  const form = textOf('src/components/contact/ContactForm.astro');
  const [line = 0, message = 0] = [...form.matchAll(/maxlength="(\d+)"/g)].map(([, max]) => Number(max));
  const sent = {
    name: 'x'.repeat(line),
    email: 'a@b.example',
    subject: 'x'.repeat(line),
    message: 'x'.repeat(message),
  };
  const { body } = contactCall.request ?? {};
  const fits = (changed: Partial<typeof sent>): boolean => !!body && v.is(body, { ...sent, ...changed });
  const longer = (['name', 'subject', 'message'] as const).map((name) => fits({ [name]: `${sent[name]}x` }));
  expect([fits({}), ...longer]).toEqual([true, false, false, false]);
});
