import { html } from 'hono/html';
import { checkPassword } from '#server/customers/check-password.ts';
import { change, goOn, NotDone } from '#server/admin/change.ts';
import { recordChange } from '#server/admin/change-log.ts';
import { drawForm, type FormView } from '#server/admin/forms/draw.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import { type OfficeContext, type OfficePage, staffOf } from '#server/admin/page.ts';
import { OFFICE, SECOND_FACTOR } from '#server/admin/paths.ts';
import { assetPath } from '#server/admin/views/assets.ts';
import { showPage } from '#server/admin/views/layout.ts';
import type { Shop } from '#server/services/shop.ts';
import { LINK_TOKEN, linkForm, passwordForm } from './forms.ts';
import { findLink, LINK_MINUTES, takeLink } from './one-time-tokens.ts';
import { findFactor } from './second-factor.ts';
import { deviceOf, sendSession, storeSession } from './session.ts';
import { findPersonByEmail, hasPassword, type Person, setPassword } from './stored-staff.ts';

/** Returns the person with this email and password, or undefined, by the rules of customers. @throws Refusal 429, 503 */
export async function checkStaffPassword(
  context: OfficeContext,
  shop: Shop,
  email: string,
  password: string,
): Promise<Person | undefined> {
  const address = shop.clientAddress(context);
  const credentials = { email, password, address, device: deviceOf(context, shop) };
  return checkPassword(shop, 'staff', credentials, await findPersonByEmail(shop.db, email));
}

function showPassword(context: OfficeContext, shop: Shop, state: Pick<FormView, 'mistakes'> = {}) {
  return showPage(context, {
    title: 'Change your password',
    content: drawForm(shop, {
      fields: passwordForm.fields,
      action: `${OFFICE}/password`,
      submit: 'Change the password',
      more: html`<a class="button quiet" href="${SECOND_FACTOR}">Second factor</a>`,
      ...state,
    }),
    status: state.mistakes ? 422 : 200,
  });
}

async function changePassword(context: OfficeContext, shop: Shop): Promise<Response> {
  const { id, email } = staffOf(context);
  const parsed = parseForm(passwordForm, context.get('form'));
  if (!parsed.isGood) return showPassword(context, shop, parsed);
  const { current, password } = parsed.values;
  const showWrong = () =>
    showPassword(context, shop, { mistakes: new Map([['current', 'This is not your password']]) });
  const person = await checkStaffPassword(context, shop, email, current);
  if (person?.id !== id) return showWrong();
  const asker = { address: shop.clientAddress(context), email };
  const passwordHash = await shop.passwords.staff.hash(password, asker);
  return change(context, shop, async (transaction, log) => {
    if (!(await hasPassword(transaction, person))) throw new NotDone(showWrong);
    await setPassword(transaction, id, passwordHash);
    await log({ action: 'changed the password', target: ['staff', email] });
    const session = await storeSession(transaction, shop, id, deviceOf(context, shop));
    const done = { to: OFFICE, message: 'Your password is changed. You are signed out everywhere else.' };
    // The browser gets the new session only after the transaction has ended it for all others.
    const show = () => {
      sendSession(context, shop, session);
      return goOn(context, shop, done);
    };
    return { ...done, show };
  });
}

const showUsed = (context: OfficeContext) =>
  showPage(context, {
    title: 'This link no longer works',
    content: html`<p>A link works once, for ${LINK_MINUTES} minutes. Ask an owner for a new one, or run <code>npm run staff -- link EMAIL</code>.</p>
<p><a href="${OFFICE}/sign-in">Sign in</a></p>`,
    status: 404,
  });

const LINK = `${OFFICE}/link`;

function tokenOf(context: OfficeContext): string {
  const token = context.get('form').get(LINK_TOKEN);
  return typeof token === 'string' ? token : '';
}

/** @param token undefined where the page's script has to read it from the address */
function showLink(
  context: OfficeContext,
  shop: Shop,
  { token = '', ...state }: Pick<FormView, 'mistakes'> & { readonly token?: string } = {},
) {
  const content = html`<p>Choose a password; you are signed in with it at once.</p>
<noscript><p class="message">This page needs JavaScript.</p></noscript>
${drawForm(shop, {
  fields: linkForm.fields,
  action: LINK,
  submit: 'Choose this password',
  hidden: { [LINK_TOKEN]: token },
  ...state,
})}`;
  return showPage(context, {
    title: 'Choose a password',
    content,
    head: html`<script type="module" src="${assetPath('link.js')}"></script>`,
    status: state.mistakes ? 422 : 200,
  });
}

/** Passwords are hashed before the transaction, and only for a link that works, because that is slow. */
async function takePassword(context: OfficeContext, shop: Shop): Promise<Response> {
  const token = tokenOf(context);
  const link = await findLink(shop.db, shop.clock(), token);
  if (!link) return showUsed(context);
  const parsed = parseForm(linkForm, context.get('form'));
  if (!parsed.isGood) return showLink(context, shop, { ...parsed, token });
  const asker = { address: shop.clientAddress(context), email: link.email };
  const passwordHash = await shop.passwords.staff.hash(parsed.values.password, asker);
  const session = await shop.db.write(async (transaction) => {
    if (!(await takeLink(transaction, shop.clock(), token))) return undefined;
    await setPassword(transaction, link.staffId, passwordHash);
    await recordChange(transaction, { id: link.staffId, who: link.email }, shop.clock(), {
      action: 'chose a password',
      target: ['staff', link.email],
    });
    // A link replaces the password alone. The code of the second factor is still asked for.
    if (await findFactor(transaction, link.staffId)) return 'needs a code';
    return storeSession(transaction, shop, link.staffId, deviceOf(context, shop));
  });
  if (session === undefined) return showUsed(context);
  if (session === 'needs a code') return context.redirect(`${OFFICE}/sign-in`, 303);
  sendSession(context, shop, session);
  return goOn(context, shop, { to: OFFICE, message: 'Your password is set.' });
}

export const PASSWORD_PAGES: readonly OfficePage[] = [
  {
    method: 'GET',
    path: '/password',
    access: 'staff',
    handle: (context, shop) => showPassword(context, shop),
  },
  { method: 'POST', path: '/password', access: 'staff', handle: changePassword },
  { method: 'GET', path: '/link', access: 'anyone', handle: (context, shop) => showLink(context, shop) },
  { method: 'POST', path: '/link', access: 'anyone', handle: takePassword },
];
