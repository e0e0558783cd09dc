import { createMiddleware } from 'hono/factory';
import { ChangeAborted, CURRENT_PASSWORD, redirectWithMessage } from '#server/admin/change.ts';
import { recordChange } from '#server/admin/change-log.ts';
import type { FormProps } from '#server/admin/forms/Form.tsx';
import type { Errors } from '#server/admin/forms/field.ts';
import { parseForm, sentText } from '#server/admin/forms/parse.ts';
import { type AdminContext, type AdminEnv, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ADMIN, SECOND_FACTOR } from '#server/admin/paths.ts';
import { Script } from '#server/admin/views/assets.tsx';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { LinkButton, Message } from '#server/admin/views/pieces.tsx';
import { checkPassword, hashPassword } from '#server/customers/passwords.ts';
import { consumeToken } from '#server/db/tokens.ts';
import type { Services } from '#server/services/services.ts';
import { changeAccess, withAccessEmails } from './access-changes.ts';
import { LINK_TOKEN, linkForm, passwordForm } from './forms.ts';
import { findFactor } from './second-factor.ts';
import { deviceOf, sendSession, storeSession } from './session.ts';
import {
  findByToken,
  findStaffMemberByEmail,
  hasPassword,
  PASSWORD_LINK,
  type StoredStaffMember,
  setPassword,
} from './stored-staff.ts';

/** Returns the staff member with this email and password, or undefined. Same limits as for customers. @throws Refusal 429, 503 */
export async function checkStaffPassword(
  context: AdminContext,
  services: Services,
  email: string,
  password: string,
): Promise<StoredStaffMember | undefined> {
  const credentials = { email, password, device: deviceOf(context, services) };
  const member = await findStaffMemberByEmail(services.db, email);
  return checkPassword(context, services, 'staff', credentials, member);
}

const hashStaffPassword = (context: AdminContext, services: Services, email: string, password: string) =>
  hashPassword(services, password, 'staffHashOnKnownDevice', {
    ...services.callerOf(context),
    account: email,
  });

const NOT_YOURS: Errors = new Map([[CURRENT_PASSWORD, 'This is not your password']]);

/**
 * Requires the staff member's password before a form takes effect, so that access to an unlocked computer is not
 * enough. The page that asks for it contains the fields of the form.
 */
export const requirePassword = (services: Services) =>
  createMiddleware<AdminEnv>(async (context, next) => {
    const form = context.get('form');
    const password = sentText(form, CURRENT_PASSWORD);
    const { id, email } = staffOf(context);
    const member = password && (await checkStaffPassword(context, services, email, password));
    if (member && member.id === id) return next();
    form.delete(CURRENT_PASSWORD);
    return showForm(context, {
      title: 'Your password',
      intro: <p>This changes who gets into the admin, or how. We write to them, and to the owners.</p>,
      fields: { [CURRENT_PASSWORD]: { ...passwordForm.fields.current, label: 'Your password' } },
      action: context.req.path,
      submit: 'Go on',
      hidden: [...form].map(([name, value]) => [name, String(value)] as const),
      errors: password ? NOT_YOURS : undefined,
    });
  });

const showPassword = (context: AdminContext, state: Pick<FormProps, 'errors'> = {}) =>
  showForm(context, {
    title: 'Change your password',
    fields: passwordForm.fields,
    action: `${ADMIN}/password`,
    submit: 'Change the password',
    more: <LinkButton href={SECOND_FACTOR}>Second factor</LinkButton>,
    ...state,
  });

async function changePassword(context: AdminContext, services: Services): Promise<Response> {
  const { id, email } = staffOf(context);
  const parsed = parseForm(passwordForm, context.get('form'));
  if (!parsed.isValid) return showPassword(context, parsed);
  const { current, password } = parsed.output;
  const showWrong = () => showPassword(context, { errors: NOT_YOURS });
  const member = await checkStaffPassword(context, services, email, current);
  if (member?.id !== id) return showWrong();
  const passwordHash = await hashStaffPassword(context, services, email, password);
  return changeAccess(context, services, async (transaction, log) => {
    if (!(await hasPassword(transaction, member))) throw new ChangeAborted(showWrong);
    await setPassword(transaction, id, passwordHash);
    await log({ action: 'changed the password', target: ['staff', email] });
    const session = await storeSession(transaction, services, id, deviceOf(context, services));
    const done = { to: ADMIN, message: 'Your password is changed. You are signed out everywhere else.' };
    // After the transaction, which ends all sessions.
    const show = () => {
      sendSession(context, services, session);
      return redirectWithMessage(context, services, done);
    };
    return { ...done, show };
  });
}

const showInvalidLink = (context: AdminContext) =>
  showPage(context, {
    title: 'This link no longer works',
    content: (
      <>
        <p>
          A link works once, for {PASSWORD_LINK.minutes} minutes. Ask an owner for a new one, or run{' '}
          <code>npm run staff -- link EMAIL</code>.
        </p>
        <p>
          <a href={`${ADMIN}/sign-in`}>Sign in</a>
        </p>
      </>
    ),
    status: 404,
  });

const LINK = `${ADMIN}/link`;

/** @param token undefined if link.js must read it from the address */
const showLink = (
  context: AdminContext,
  { token = '', ...state }: Pick<FormProps, 'errors' | 'account'> & { readonly token?: string } = {},
) =>
  showForm(context, {
    title: 'Choose a password',
    intro: (
      <>
        <p>Choose a password; you are signed in with it at once.</p>
        <noscript>
          <Message>This page needs JavaScript.</Message>
        </noscript>
        <Script name="link" />
      </>
    ),
    fields: linkForm.fields,
    action: LINK,
    submit: 'Choose this password',
    hidden: { [LINK_TOKEN]: token },
    ...state,
  });

/** Hashes the password before the transaction, and only for a valid link, because hashing is slow. */
async function choosePassword(context: AdminContext, services: Services): Promise<Response> {
  const token = sentText(context.get('form'), LINK_TOKEN);
  const member = await findByToken(services.db, services.clock(), PASSWORD_LINK, token);
  if (!member) return showInvalidLink(context);
  const { id, email } = member;
  const parsed = parseForm(linkForm, context.get('form'));
  if (!parsed.isValid) return showLink(context, { ...parsed, token, account: email });
  const passwordHash = await hashStaffPassword(context, services, email, parsed.output.password);
  const session = await services.db.write(async (transaction) => {
    if ((await consumeToken(transaction, services.clock(), PASSWORD_LINK, token)) === undefined)
      return undefined;
    await setPassword(transaction, id, passwordHash);
    const log = withAccessEmails(transaction, services, email, (entry) =>
      recordChange(transaction, { id, who: email }, services.clock(), entry),
    );
    await log({ action: 'chose a password', target: ['staff', email] });
    // A link replaces only the password. The second factor is still required.
    if (await findFactor(transaction, id)) return 'needs a code';
    return storeSession(transaction, services, id, deviceOf(context, services));
  });
  if (session === undefined) return showInvalidLink(context);
  if (session === 'needs a code') return context.redirect(`${ADMIN}/sign-in`, 303);
  sendSession(context, services, session);
  return redirectWithMessage(context, services, { to: ADMIN, message: 'Your password is set.' });
}

export const PASSWORD_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/password', access: 'staff', handle: (context) => showPassword(context) },
  { method: 'POST', path: '/password', access: 'staff', handle: changePassword },
  { method: 'GET', path: '/link', access: 'anyone', handle: (context) => showLink(context) },
  { method: 'POST', path: '/link', access: 'anyone', handle: choosePassword },
];
