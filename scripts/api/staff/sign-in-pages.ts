import { html } from 'hono/html';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { drawForm, type FormView } from '#scripts/api/office/forms/draw.ts';
import { parseForm } from '#scripts/api/office/forms/parse.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import { OFFICE } from '#scripts/api/office/paths.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { showCodeForm } from './code-pages.ts';
import { signInForm } from './forms.ts';
import { findFactor } from './second-factor.ts';
import { deviceOf, endSession, findStaff, returnPath, sendSession, storeSession } from './session.ts';
import { beginStep, checkStaffPassword } from './sign-in-steps.ts';
import { hasPassword, type Person } from './stored-staff.ts';

const PATH = `${OFFICE}/sign-in`;

function showSignIn(
  context: OfficeContext,
  shop: Shop,
  to: string,
  state: Pick<FormView, 'typed' | 'mistakes'> & { status?: 401 | 422 | 429 } = {},
) {
  const { status = 200, ...form } = state;
  const content = drawForm(shop, {
    fields: signInForm.fields,
    action: PATH,
    submit: 'Sign in',
    hidden: { to },
    ...form,
  });
  return showPage(context, { title: 'Sign in', content, status });
}

/** A session, or the step that asks for the code. A password that was changed meanwhile begins neither. */
const begin = (context: OfficeContext, shop: Shop, person: Person) =>
  shop.db.write(async (transaction) => {
    if (!(await hasPassword(transaction, person))) return undefined;
    return (await findFactor(transaction, person.id))
      ? { step: await beginStep(transaction, shop, person.id) }
      : storeSession(transaction, shop, person.id, deviceOf(context, shop));
  });

async function signIn(context: OfficeContext, shop: Shop): Promise<Response> {
  const form = context.get('form');
  const to = returnPath(form.get('to'));
  const parsed = parseForm(signInForm, form);
  if (!parsed.isGood) return showSignIn(context, shop, to, { ...parsed, status: 422 });
  const { email, password } = parsed.values;
  const { typed } = parsed;
  try {
    const person = await checkStaffPassword(context, shop, email, password);
    const begun = person && (await begin(context, shop, person));
    if (!begun) {
      const mistakes = new Map([['', 'Invalid email or password.']]);
      return showSignIn(context, shop, to, { typed, mistakes, status: 401 });
    }
    if ('step' in begun) return showCodeForm(context, shop, { step: begun.step, to });
    sendSession(context, shop, begun);
    return context.redirect(to, 303);
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 429)) throw error;
    for (const [name, value] of Object.entries(error.headers)) context.header(name, value);
    return showSignIn(context, shop, to, { typed, mistakes: new Map([['', error.message]]), status: 429 });
  }
}

export const SIGN_IN_PAGES: readonly OfficePage[] = [
  {
    method: 'GET',
    path: '/sign-in',
    access: 'anyone',
    async handle(context, shop) {
      const to = returnPath(context.req.query('to'));
      return (await findStaff(context, shop)) ? context.redirect(to, 303) : showSignIn(context, shop, to);
    },
  },
  { method: 'POST', path: '/sign-in', access: 'anyone', handle: signIn },
  {
    method: 'POST',
    path: '/sign-out',
    access: 'anyone',
    async handle(context, shop) {
      await endSession(context, shop);
      return showPage(context, {
        title: 'Signed out',
        content: html`<p role="status">You are signed out.</p><p><a href="${PATH}">Sign in again</a></p>`,
      });
    },
  },
];
