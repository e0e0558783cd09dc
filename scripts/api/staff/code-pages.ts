import { Refusal } from '#scripts/api/http/refusal.ts';
import { recordChange } from '#scripts/api/office/change-log.ts';
import { drawForm } from '#scripts/api/office/forms/draw.ts';
import type { Mistakes } from '#scripts/api/office/forms/field.ts';
import { parseForm } from '#scripts/api/office/forms/parse.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import { OFFICE } from '#scripts/api/office/paths.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { withLimits } from '#scripts/api/shop/limits.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { codeForm } from './forms.ts';
import { takeCode } from './second-factor.ts';
import { deviceOf, returnPath, sendSession, storeSession } from './session.ts';
import { endStep, findStep, type SignInStep } from './sign-in-steps.ts';

/** The second step of signing in. @param step the token of the first */
export function showCodeForm(
  context: OfficeContext,
  shop: Shop,
  hidden: { readonly step: string; readonly to: string },
  mistakes?: Mistakes,
  status: 200 | 401 | 422 | 429 = 200,
) {
  const content = drawForm(shop, {
    fields: codeForm.fields,
    action: `${OFFICE}/sign-in/code`,
    submit: 'Sign in',
    hidden,
    mistakes,
  });
  return showPage(context, { title: 'Type your code', content, status });
}

/** Takes the code, and begins the session in the same transaction. Returns undefined where the code is wrong.
 * @throws Refusal 409 where the step has ended in the meantime */
const beginSession = (
  context: OfficeContext,
  shop: Shop,
  step: string,
  { staffId, email }: SignInStep,
  code: string,
) =>
  shop.db.write(async (transaction) => {
    const kind = await takeCode(transaction, staffId, code, shop.clock());
    if (kind === undefined) return undefined;
    // The error undoes the transaction, so that a recovery code is not used up for nothing.
    if (!(await endStep(transaction, step)))
      throw new Refusal(409, 'This sign-in went on in another window. Sign in again.');
    if (kind === 'recovery') {
      await recordChange(transaction, { id: staffId, who: email }, shop.clock(), {
        action: 'used a recovery code',
        target: ['staff', email],
      });
    }
    return storeSession(transaction, shop, staffId, deviceOf(context, shop));
  });

async function takeStep(context: OfficeContext, shop: Shop): Promise<Response> {
  const form = context.get('form');
  const to = returnPath(form.get('to'));
  const step = String(form.get('step'));
  const found = await findStep(shop.db, step, shop.clock());
  if (!found) return context.redirect(`${OFFICE}/sign-in`, 303);
  const again = (text: string, status: 401 | 422 | 429) =>
    showCodeForm(context, shop, { step, to }, new Map([['code', text]]), status);
  const parsed = parseForm(codeForm, form);
  if (!parsed.isGood) return again('Type the code', 422);
  try {
    const session = await withLimits(
      [[shop.staffLimiters.signInCode, found.staffId]],
      () => beginSession(context, shop, step, found, parsed.values.code),
      (outcome) => 'value' in outcome && outcome.value === undefined,
    );
    if (!session) return again('This code is wrong or was used already', 401);
    sendSession(context, shop, session);
    return context.redirect(to, 303);
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 429)) throw error;
    for (const [name, value] of Object.entries(error.headers)) context.header(name, value);
    return again(error.message, 429);
  }
}

export const CODE_PAGES: readonly OfficePage[] = [
  { method: 'POST', path: '/sign-in/code', access: 'anyone', handle: takeStep },
];
