import { recordChange } from '#server/admin/change-log.ts';
import type { FormProps } from '#server/admin/forms/Form.tsx';
import { parseForm } from '#server/admin/forms/parse.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { consumeToken, makeToken } from '#server/db/tokens.ts';
import { Refusal } from '#server/http/refusal.ts';
import { isWrong } from '#server/limits/counts.ts';
import type { Services } from '#server/services/services.ts';
import { codeForm, signInForm, WRONG_CODE } from './forms.ts';
import { checkStaffPassword } from './password-pages.tsx';
import { consumeCode, findFactor } from './second-factor.ts';
import {
  deviceOf,
  endSession,
  findStaff,
  returnPath,
  SIGN_IN_STEP,
  sendSession,
  storeSession,
} from './session.ts';
import { findByToken, hasPassword, type StoredStaffMember } from './stored-staff.ts';

const PATH = `${ADMIN}/sign-in`;

type State = Pick<FormProps, 'values' | 'errors'> & { readonly status?: 401 };

const SIGN_IN = { title: 'Sign in', fields: signInForm.fields, action: PATH, submit: 'Sign in' };

const showSignIn = (context: AdminContext, to: string, state: State = {}) =>
  showForm(context, { ...SIGN_IN, hidden: { to }, ...state });

/** Begins a session, or the step for the code. Returns undefined if the password changed since it was verified. */
const beginSignIn = (context: AdminContext, services: Services, member: StoredStaffMember) =>
  services.db.write(async (transaction) => {
    if (!(await hasPassword(transaction, member))) return undefined;
    return (await findFactor(transaction, member.id))
      ? { step: await makeToken(transaction, services.clock(), SIGN_IN_STEP, member.id) }
      : storeSession(transaction, services, member.id, deviceOf(context, services));
  });

/** @throws Refusal 429, 503 */
async function signIn(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const to = returnPath(form.get('to'));
  const parsed = parseForm(signInForm, form);
  if (!parsed.isValid) return showSignIn(context, to, parsed);
  const { email, password } = parsed.output;
  const member = await checkStaffPassword(context, services, email, password);
  const started = member && (await beginSignIn(context, services, member));
  if (!started) {
    const errors = new Map([['', 'Invalid email or password.']]);
    return showSignIn(context, to, { values: parsed.values, errors, status: 401 });
  }
  if ('step' in started) return showCodeForm(context, to, started.step);
  sendSession(context, services, started);
  return context.redirect(to, 303);
}

const CODE = { title: 'Type your code', fields: codeForm.fields, action: `${PATH}/code`, submit: 'Sign in' };

/** @param step the token of SIGN_IN_STEP */
const showCodeForm = (context: AdminContext, to: string, step: string, state: State = {}) =>
  showForm(context, { ...CODE, hidden: { step, to }, ...state });

/** Uses up the code and begins the session. Returns undefined for a wrong code. @throws Refusal 409 after the step */
const beginSession = (
  context: AdminContext,
  services: Services,
  step: string,
  { id, email }: StoredStaffMember,
  code: string,
) =>
  services.db.write(async (transaction) => {
    const kind = await consumeCode(transaction, id, code, services.clock());
    if (kind === undefined) return undefined;
    // The error rolls back the transaction, so that a recovery code is not lost.
    if ((await consumeToken(transaction, services.clock(), SIGN_IN_STEP, step)) === undefined)
      throw new Refusal(409, 'This sign-in was completed in another window. Sign in again.');
    if (kind === 'recovery') {
      await recordChange(transaction, { id, who: email }, services.clock(), {
        action: 'used a recovery code',
        target: ['staff', email],
      });
    }
    return storeSession(transaction, services, id, deviceOf(context, services));
  });

/** @throws Refusal 409, 429 */
async function checkCode(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const to = returnPath(form.get('to'));
  const step = String(form.get('step'));
  const found = await findByToken(services.db, services.clock(), SIGN_IN_STEP, step);
  if (!found) return context.redirect(PATH, 303);
  const parsed = parseForm(codeForm, form);
  if (!parsed.isValid) return showCodeForm(context, to, step, parsed);
  const session = await services.limits.spend(
    ['code'],
    { ...services.callerOf(context), target: found.id },
    () => beginSession(context, services, step, found, parsed.output.code),
    isWrong,
  );
  if (!session) return showCodeForm(context, to, step, { errors: WRONG_CODE, status: 401 });
  sendSession(context, services, session);
  return context.redirect(to, 303);
}

export const SIGN_IN_PAGES: readonly AdminPage[] = [
  {
    method: 'GET',
    path: '/sign-in',
    access: 'anyone',
    async handle(context, services) {
      const to = returnPath(context.req.query('to'));
      return (await findStaff(context, services)) ? context.redirect(to, 303) : showSignIn(context, to);
    },
  },
  { method: 'POST', path: '/sign-in', access: 'anyone', handle: signIn },
  { method: 'POST', path: '/sign-in/code', access: 'anyone', handle: checkCode },
  {
    method: 'POST',
    path: '/sign-out',
    access: 'anyone',
    async handle(context, services) {
      await endSession(context, services);
      return showPage(context, {
        title: 'Signed out',
        content: (
          <>
            <p role="status">You are signed out.</p>
            <p>
              <a href={PATH}>Sign in again</a>
            </p>
          </>
        ),
      });
    },
  },
];
