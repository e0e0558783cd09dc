import type { ReactNode } from 'react';
import { LANGUAGE_NAMES, LANGUAGES } from '#domain/language.ts';
import { change } from '#server/admin/change.ts';
import { ButtonForm } from '#server/admin/forms/Form.tsx';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { EMAILS } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import { LinkButton, Notice, Row, Table, Time } from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import type { Email } from './email.ts';
import { countEmails, EMAIL_STATES, type EmailRow, emailsIn, failingEmails, sendAgain } from './outbox.ts';
import { emailValuesOf, render, senderOf, siteOf } from './render.tsx';

/** Per state. */
const LISTED = 25;

/** Replaces a link's secret in a preview. */
const MASKED = '••••••••';

function describeTransport({ settings: { mail } }: Services): string {
  if (!mail) return 'This shop sends no emails, because SMTP_URL is not set.';
  return mail.via === 'smtp'
    ? `Emails are sent from ${mail.from} by ${new URL(mail.url).host}.`
    : `SMTP_URL is not set, so emails are written into the folder ${mail.folder} instead.`;
}

/** Which emails about an order its customer did not get. @param subjectIds ids of the order, its payments and returns */
export async function undeliveredNotice(db: Reader, subjectIds: readonly string[]): Promise<ReactNode> {
  const rows = await failingEmails(db, subjectIds);
  if (rows.length === 0) return null;
  return (
    <Notice id="undelivered" title="The customer did not get every email">
      {rows.map(({ id, address, state, failure, changedAt }) => (
        <p key={id}>
          <Time at={changedAt} />, to {address}:{' '}
          {state === 'failed' ? 'could not be sent' : 'could not be sent yet, and is tried again'}. {failure}
        </p>
      ))}
      <p>
        Call the customer, or <a href={EMAILS}>send them again</a>.
      </p>
    </Notice>
  );
}

/** Emails with their last error. Their texts are not shown: a link in them may open an account. */
function renderEmails(
  caption: string,
  rows: readonly EmailRow[],
  emails: readonly Email[],
  button: (row: EmailRow) => ReactNode,
): ReactNode {
  if (rows.length === 0) return '';
  return (
    <Table
      caption={caption}
      heads={['When', 'To', 'Email', 'Tries', 'Reply of the mail server', 'What next']}
      rows={rows.map((row) => [
        <Time at={row.changedAt} />,
        row.address,
        emails.find(({ kind }) => kind === row.kind)?.when ?? row.kind,
        String(row.tries),
        row.failure,
        button(row),
      ])}
    />
  );
}

async function showEmails(context: AdminContext, services: Services, emails: readonly Email[]) {
  const [counts, failed, waiting] = await Promise.all([
    countEmails(services.db),
    emailsIn(services.db, 'failed', LISTED),
    emailsIn(services.db, 'waiting', LISTED),
  ]);
  const counted = EMAIL_STATES.map((state) => `${counts.get(state) ?? 0} ${state}`).join(', ');
  return showPage(context, {
    title: 'Emails',
    content: (
      <>
        <p>{describeTransport(services)}</p>
        <p>Stored now: {counted}.</p>
        {renderEmails('Could not be sent', failed, emails, ({ id }) => (
          <ButtonForm action={`${EMAILS}/again`} hidden={{ email: id }}>
            Send again
          </ButtonForm>
        ))}
        {renderEmails(
          'Waiting',
          waiting.filter(({ tries }) => tries > 0),
          emails,
          ({ nextTryAt }) =>
            nextTryAt !== null && (
              <>
                Next try <Time at={nextTryAt} />
              </>
            ),
        )}
        <Table
          caption="How each email looks"
          heads={['When it is sent', 'Show it in']}
          rows={emails.map(({ kind, when }) => [
            when,
            <Row>
              {LANGUAGES.map((language) => (
                <LinkButton key={language} href={`${EMAILS}/${kind}/${language}`}>
                  {LANGUAGE_NAMES[language]}
                </LinkButton>
              ))}
            </Row>,
          ])}
        />
      </>
    ),
  });
}

/** An email with sample data. Its styles are inline, so the policy of the page allows them. */
async function showPreview(context: AdminContext, services: Services, emails: readonly Email[]) {
  const email = emails.find(({ kind }) => kind === context.req.param('kind'));
  const language = LANGUAGES.find((name) => name === context.req.param('language'));
  if (!email || !language) throw new Refusal(404, 'There is no such email.');
  const sender = await senderOf(services);
  const link = email.link ? `${siteOf(services)}${email.link.path}#${MASKED}` : '';
  const text = email.preview(language, emailValuesOf(services, sender, link));
  const rendered = await render(email, text, { name: 'Asha', language }, sender);
  return context.html(rendered.html, 200, {
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  });
}

async function sendEmailAgain(context: AdminContext, services: Services): Promise<Response> {
  const id = String(context.get('form').get('email'));
  return change(context, services, async (transaction, log) => {
    if ((await sendAgain(transaction, services.clock(), id)) === 0)
      return { to: EMAILS, message: 'Nothing was changed: this email was already sent again.' };
    await log({ action: 'sent again', target: ['email', id] });
    return { to: EMAILS, message: 'The email is being sent.' };
  });
}

const access = 'emails';

export const emailPages = (emails: readonly Email[]): readonly AdminPage[] => [
  {
    method: 'GET',
    path: '/emails',
    access,
    handle: (context, services) => showEmails(context, services, emails),
  },
  { method: 'POST', path: '/emails/again', access, handle: sendEmailAgain },
  {
    method: 'GET',
    path: '/emails/:kind/:language',
    access,
    handle: (context, services) => showPreview(context, services, emails),
  },
];
