import { QRCodeSVG } from 'qrcode.react';
import { ChangeAborted } from '#server/admin/change.ts';
import type { Errors } from '#server/admin/forms/field.ts';
import { parseForm, sentText } from '#server/admin/forms/parse.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ADMIN, SECOND_FACTOR } from '#server/admin/paths.ts';
import { showForm, showPage } from '#server/admin/views/Page.tsx';
import { Secret } from '#server/admin/views/pieces.tsx';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { changeAccess } from './access-changes.ts';
import { codeForm, WRONG_CODE } from './forms.ts';
import {
  consumeCode,
  findFactor,
  isRequired,
  newSecret,
  otpauthAddress,
  periodOf,
  recoveryCodesLeft,
  switchOff,
  switchOn,
} from './second-factor.ts';

/** In px. */
const QR_SIZE = 220;

function showSetUp(context: AdminContext, secret: string, errors?: Errors) {
  const address = otpauthAddress(secret, staffOf(context).email);
  return showForm(context, {
    title: 'Second factor',
    intro: (
      <>
        <p>
          With a second factor a stolen password is not enough: signing in also asks for a code, which an app
          on your phone makes (Google Authenticator, Aegis, 2FAS or any other).
        </p>
        <ol>
          <li>
            Scan this with the app, or open it <a href={address}>on this phone</a>, or type the key by hand:
          </li>
        </ol>
        <p>
          <QRCodeSVG value={address} size={QR_SIZE} level="M" marginSize={4} title="QR code for the app" />
        </p>
        <Secret>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</Secret>
        <ol start={2}>
          <li>Type the six digits that the app shows.</li>
        </ol>
      </>
    ),
    fields: { code: { ...codeForm.fields.code, hint: 'Six digits' } },
    action: SECOND_FACTOR,
    submit: 'Switch it on',
    hidden: { secret },
    errors,
  });
}

async function showOn(context: AdminContext, services: Services, errors?: Errors) {
  const left = await recoveryCodesLeft(services.db, staffOf(context).id);
  const required = await isRequired(services.db);
  return showForm(context, {
    title: 'Second factor',
    intro: (
      <>
        <p>
          It is on. {left} of your recovery codes are left; to get new ones, or to change the phone, switch it
          off and on again.
        </p>
        {required && (
          <p>Every staff member needs one: if you switch it off, you must set it up again at once.</p>
        )}
      </>
    ),
    fields: codeForm.fields,
    action: `${SECOND_FACTOR}/off`,
    submit: 'Switch it off',
    errors,
  });
}

const show = async (context: AdminContext, services: Services) =>
  (await findFactor(services.db, staffOf(context).id))
    ? showOn(context, services)
    : showSetUp(context, newSecret());

/** Shown once: only their hashes are stored. */
const showCodes = (context: AdminContext, codes: readonly string[]) =>
  showPage(context, {
    title: 'Your recovery codes',
    content: (
      <>
        <p>
          The second factor is on. If the phone is lost, each of these codes works once instead of the app's.
          Print them or write them down: they are not shown again.
        </p>
        <Secret>{codes.join('\n')}</Secret>
        <p>
          <a href={ADMIN}>I have them. Go on</a>
        </p>
      </>
    ),
  });

async function turnOn(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const { id, email } = staffOf(context);
  const secret = sentText(form, 'secret');
  if (!/^[A-Z2-7]{32}$/.test(secret)) throw new Refusal(422, 'The key is missing. Open the page again.');
  const parsed = parseForm(codeForm, form);
  const code = parsed.isValid ? parsed.output.code.replaceAll(/\s/g, '') : '';
  const period = periodOf(secret, code, services.clock());
  if (period === undefined) return showSetUp(context, secret, WRONG_CODE);
  return changeAccess(context, services, async (transaction, log) => {
    // An intruder at an unlocked computer must not replace a factor without its code.
    if (await findFactor(transaction, id)) throw new ChangeAborted(() => show(context, services));
    const codes = await switchOn(transaction, id, secret, period);
    await log({ action: 'switched on the second factor', target: ['staff', email] });
    return { to: ADMIN, message: 'The second factor is on.', show: () => showCodes(context, codes) };
  });
}

/** @throws Refusal 429 after too many wrong codes */
async function turnOff(context: AdminContext, services: Services): Promise<Response> {
  const { id, email } = staffOf(context);
  const parsed = parseForm(codeForm, context.get('form'));
  if (!parsed.isValid) return showOn(context, services, parsed.errors);
  let isWrong = false;
  return services.limits.spend(
    ['code'],
    { ...services.callerOf(context), target: id },
    () =>
      changeAccess(context, services, async (transaction, log) => {
        isWrong = (await consumeCode(transaction, id, parsed.output.code, services.clock())) === undefined;
        if (isWrong) throw new ChangeAborted(() => showOn(context, services, WRONG_CODE));
        await switchOff(transaction, id);
        await log({ action: 'switched off the second factor', target: ['staff', email] });
        return { to: SECOND_FACTOR, message: 'The second factor is off.' };
      }),
    () => isWrong,
  );
}

export const SECOND_FACTOR_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/second-factor', access: 'staff', handle: show },
  { method: 'POST', path: '/second-factor', access: 'staff', asksPassword: true, handle: turnOn },
  { method: 'POST', path: '/second-factor/off', access: 'staff', asksPassword: true, handle: turnOff },
];
