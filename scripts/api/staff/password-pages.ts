import { html } from 'hono/html';
import { change, goOn, NotDone } from '#scripts/api/office/change.ts';
import { drawForm, type FormView } from '#scripts/api/office/forms/draw.ts';
import { parseForm } from '#scripts/api/office/forms/parse.ts';
import { type OfficeContext, type OfficePage, staffOf } from '#scripts/api/office/page.ts';
import { OFFICE, SECOND_FACTOR } from '#scripts/api/office/paths.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { passwordForm } from './forms.ts';
import { deviceOf, sendSession, storeSession } from './session.ts';
import { checkStaffPassword } from './sign-in-steps.ts';
import { hasPassword, setPassword } from './stored-staff.ts';

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

export const PASSWORD_PAGES: readonly OfficePage[] = [
  {
    method: 'GET',
    path: '/password',
    access: 'staff',
    handle: (context, shop) => showPassword(context, shop),
  },
  { method: 'POST', path: '/password', access: 'staff', handle: changePassword },
];
