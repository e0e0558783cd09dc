import { QRCodeSVG } from 'qrcode.react';
import * as v from 'valibot';
import { ChangeAborted, change } from '#server/admin/change.ts';
import { Form } from '#server/admin/forms/Form.tsx';
import { parseForm } from '#server/admin/forms/parse.ts';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { ADMIN, SECOND_FACTOR } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { Refusal } from '#server/http/refusal.ts';
import { withLimits } from '#server/services/limits.ts';
import type { Services } from '#server/services/services.ts';
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

const SecretSchema = v.pipe(v.string(), v.regex(/^[A-Z2-7]{32}$/));

const WRONG = new Map([['code', 'This is not the current code of the app']]);

function showSetUp(context: AdminContext, secret: string, mistakes?: typeof WRONG) {
  const { email } = staffOf(context);
  const content = (
    <>
      <p>
        With a second factor a stolen password is not enough: signing in also asks for a code, which an app on
        your phone makes (Google Authenticator, Aegis, 2FAS or any other).
      </p>
      <ol>
        <li>
          Scan this with the app, or open it <a href={otpauthAddress(secret, email)}>on this phone</a>, or
          type the key by hand:
        </li>
      </ol>
      <p>
        <QRCodeSVG
          value={otpauthAddress(secret, email)}
          size={QR_SIZE}
          level="M"
          marginSize={4}
          title="QR code for the app"
        />
      </p>
      <p className="select-all rounded-input bg-mist p-3 font-[ui-monospace,monospace]">
        {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
      </p>
      <ol start={2}>
        <li>Type the six digits that the app shows.</li>
      </ol>
      <Form
        fields={{ code: { ...codeForm.fields.code, hint: 'Six digits' } }}
        action={SECOND_FACTOR}
        submit="Switch it on"
        hidden={{ secret }}
        mistakes={mistakes}
      />
    </>
  );
  return showPage(context, { title: 'Second factor', content, status: mistakes ? 422 : 200 });
}

async function showOn(context: AdminContext, services: Services, mistakes?: ReadonlyMap<string, string>) {
  const left = await recoveryCodesLeft(services.db, staffOf(context).id);
  const required = await isRequired(services.db);
  const content = (
    <>
      <p>
        It is on. {left} of your recovery codes are left; to get new ones, or to change the phone, switch it
        off and on again.
      </p>
      {required && (
        <p>Every staff member needs one: if you switch it off, you must set it up again at once.</p>
      )}
      <Form
        fields={codeForm.fields}
        action={`${SECOND_FACTOR}/off`}
        submit="Switch it off"
        mistakes={mistakes}
      />
    </>
  );
  return showPage(context, { title: 'Second factor', content, status: mistakes ? 422 : 200 });
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
        <pre className="select-all rounded-input bg-mist p-3 font-[ui-monospace,monospace]">
          {codes.join('\n')}
        </pre>
        <p>
          <a href={ADMIN}>I have them. Go on</a>
        </p>
      </>
    ),
  });

async function turnOn(context: AdminContext, services: Services): Promise<Response> {
  const form = context.get('form');
  const { id, email } = staffOf(context);
  const secret = v.safeParse(SecretSchema, form.get('secret'));
  if (!secret.success) throw new Refusal(422, 'The key is missing. Open the page again.');
  const showWrong = () => showSetUp(context, secret.output, WRONG);
  const parsed = parseForm(codeForm, form);
  const code = parsed.isValid ? parsed.values.code.replaceAll(/\s/g, '') : '';
  const period = periodOf(secret.output, code, services.clock());
  if (period === undefined) return showWrong();
  return change(context, services, async (transaction, log) => {
    // An intruder at an unlocked computer must not replace a factor without its code.
    if (await findFactor(transaction, id)) throw new ChangeAborted(() => show(context, services));
    const codes = await switchOn(transaction, id, secret.output, period);
    await log({ action: 'switched on the second factor', target: ['staff', email] });
    const done = { to: ADMIN, message: 'The second factor is on.' };
    return { ...done, show: () => showCodes(context, codes) };
  });
}

/** @throws Refusal 429 after too many wrong codes */
async function turnOff(context: AdminContext, services: Services): Promise<Response> {
  const { id, email } = staffOf(context);
  const parsed = parseForm(codeForm, context.get('form'));
  if (!parsed.isValid) return showOn(context, services, parsed.mistakes);
  let isWrong = false;
  return withLimits(
    [services.staffLimiters.signInCode(id)],
    () =>
      change(context, services, async (transaction, log) => {
        isWrong = (await consumeCode(transaction, id, parsed.values.code, services.clock())) === undefined;
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
  { method: 'POST', path: '/second-factor', access: 'staff', handle: turnOn },
  { method: 'POST', path: '/second-factor/off', access: 'staff', handle: turnOff },
];
