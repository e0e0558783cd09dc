import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '#server/db/errors.ts';
import { DAY, forever, MINUTE, SECOND } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import type { Email, LoadedEmail } from './email.ts';
import { dueEmails, type EmailRow, type SendResult, setClaim, storeResult } from './outbox.ts';
import { emailValuesOf, isAddress, render, senderOf } from './render.tsx';
import { CONNECTIONS, EmailError, type Envelope, type MailTransport, openTransport } from './transport.ts';
import { type Admission, admit, verificationBlocks } from './verification.ts';

/** How long a process has an email for itself, in ms: longer than a try can take. If it dies, another one tries then. */
const CLAIM = 4 * MINUTE;

/** The pauses before the retries of an email that was refused temporarily, in ms. The last one repeats. */
const EMAIL_RETRIES = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 4 * 60 * MINUTE];

/** The same for a failure of the mail server. */
const SERVER_RETRIES = [5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE];

/** For an email to an unverified address that has reached its limit. */
const TOO_MANY = 'Its address is not confirmed, and has had as many emails as it may get in an hour.';
/** In ms. */
const TOO_MANY_PAUSE = 60 * MINUTE;

/** How long an email is retried, in ms. To a full mailbox, shorter. */
const GIVE_UP_AFTER = 3 * DAY;
const GIVE_UP_FULL_AFTER = DAY;

const retryPause = (pauses: readonly number[], tries: number): number =>
  pauses[Math.min(tries, pauses.length - 1)] ?? MINUTE;

const isTooOld = ({ clock }: Services, { createdAt }: EmailRow, limit = GIVE_UP_AFTER): boolean =>
  createdAt + limit <= clock();

async function compose(
  services: Services,
  email: Email,
  id: string,
  { address, name, language, write, replyTo }: LoadedEmail,
  { isVerified, link, verificationLink }: Admission,
): Promise<Envelope> {
  const sender = await senderOf(services);
  const { subject, blocks } = write(emailValuesOf(services, sender, link), isVerified);
  const text = { subject, blocks: [...blocks, ...verificationBlocks(language, verificationLink)] };
  return {
    id,
    kind: email.kind,
    to: address,
    fromName: sender.storeName,
    replyTo: [replyTo ?? '', sender.companyEmail].find(isAddress) ?? '',
    // A customer typed the name, so a stranger's address must not get it.
    ...(await render(email, text, { name: isVerified ? name : '', language }, sender)),
  };
}

/** Writes an email that this process has claimed until `nextTryAt`, and sends it. */
async function sendEmail(
  services: Services,
  emails: readonly Email[],
  transport: MailTransport,
  row: EmailRow & { readonly nextTryAt: number },
): Promise<SendResult> {
  if (isTooOld(services, row))
    return {
      state: 'failed',
      address: row.address,
      failure: row.failure || 'It waited too long, and was not tried.',
    };
  const email = emails.find(({ kind }) => kind === row.kind);
  // During an upgrade, the older process may find an email of the newer one.
  if (!email)
    throw new EmailError('temporary', 'unknown kind', 'This version of the shop does not know this email.');
  const loaded = await email.load(services.db, row.about, row.details, services.clock());
  if (!loaded) return { state: 'dropped' };
  const { address } = loaded;
  if (!isAddress(address)) return { state: 'failed', address, failure: 'This is no address.' };
  // Code that ends a link also drops the email, so then no link is made.
  const admission = await services.db.write(async (transaction) =>
    (await setClaim(transaction, row, row.nextTryAt, 0)) > 0
      ? admit(transaction, services, email, row, loaded)
      : 'dropped',
  );
  if (admission === 'dropped') return { state: 'dropped' };
  if (!admission)
    return { state: 'waiting', failure: TOO_MANY, nextTryAt: services.clock() + TOO_MANY_PAUSE };
  try {
    await transport.send(await compose(services, email, row.id, loaded, admission));
    return { state: 'sent', address: email.erasesAddress ? '' : address };
  } catch (error) {
    return { ...failedResult(services, row, error), address };
  }
}

function failedResult(services: Services, row: EmailRow, error: unknown): SendResult {
  const { clock, log } = services;
  const { kind, tries } = row;
  const known =
    error instanceof EmailError
      ? error
      : new EmailError('temporary', 'error', 'The email could not be written.');
  const { kind: errorKind, code, explanation: failure } = known;
  log(code === 'error' ? 'error' : 'warn', 'email not sent', {
    kind,
    tries,
    // The message of an unexpected error may contain a part of the email.
    failure: code === 'error' && error instanceof Error ? error.name : code,
  });
  const limit = errorKind === 'full' ? GIVE_UP_FULL_AFTER : GIVE_UP_AFTER;
  if (errorKind === 'permanent' || isTooOld(services, row, limit)) return { state: 'failed', failure };
  const isServerDown = errorKind === 'server';
  const pause = retryPause(isServerDown ? SERVER_RETRIES : EMAIL_RETRIES, tries - 1);
  return { state: 'waiting', failure, nextTryAt: clock() + pause, isServerDown };
}

/** Retries of storing a result while the database is down. The pause is in ms. */
const STORE_RETRIES = { tries: 100, pause: 100 };

/** Retries, because an email whose success is not stored would be sent again. @throws StorageError */
async function storeWithRetries(store: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store();
      return;
    } catch (error) {
      if (!(error instanceof StorageError) || tries === STORE_RETRIES.tries) throw error;
    }
    await pause(STORE_RETRIES.pause);
  }
}

/** Due emails read at a time, because other workers may claim the first ones. */
const BATCH = 2 * CONNECTIONS;

/**
 * Sends the emails of the outbox. An email is claimed before it is sent and marked afterwards, so none is lost when a
 * process dies. One is sent twice only if a process or the mail server dies after the server accepted it.
 */
export function createMailer(services: Services, emails: readonly Email[], transport: MailTransport) {
  const { db, clock, log } = services;
  let isStopped = false;

  /** Returns undefined if another process has claimed the email, else whether the mail server is up. */
  async function tryEmail(due: EmailRow): Promise<boolean | undefined> {
    const row = { ...due, tries: due.tries + 1, nextTryAt: clock() + CLAIM };
    const isClaimed = await db.write((transaction) => setClaim(transaction, due, row.nextTryAt, 1));
    if (isClaimed === 0) return undefined;
    const result = await sendEmail(services, emails, transport, row).catch((error: unknown) =>
      failedResult(services, row, error),
    );
    await storeWithRetries(() => db.write((transaction) => storeResult(transaction, clock(), row, result)));
    if (result.state === 'sent') log('info', 'email sent', { kind: row.kind, tries: row.tries });
    return result.isServerDown !== true;
  }

  /** Returns undefined if no email is due, else whether the mail server is up. */
  async function tryNext(): Promise<boolean | undefined> {
    for (const row of await dueEmails(db, clock(), BATCH)) {
      const isUp = await tryEmail(row);
      if (isUp !== undefined) return isUp;
    }
    return undefined;
  }

  /** Sends the due emails, one after the other. Calls may run at once. Returns whether the server is up. */
  async function sendDue(): Promise<boolean> {
    let failures = 0;
    // A single email may make the server hang up. If the next one fails as well, the server is down.
    while (failures < 2 && !isStopped) {
      const isUp = await tryNext();
      if (isUp === undefined) return failures === 0;
      failures = isUp ? 0 : failures + 1;
    }
    return false;
  }

  return {
    sendDue,
    /** Starts no further email. */
    stop() {
      isStopped = true;
    },
    close: transport.close,
  };
}

/** The pause between two polls of the outbox, and the longest one while the mail server is down. In ms. */
const POLL_PAUSE = SECOND;
const MAX_POLL_PAUSE = 10 * SECOND;

/** How long a stop waits for emails that are being sent, in ms. */
const STOP_LIMIT = 3 * SECOND;

/**
 * Polls the outbox every second. Returns a function that stops it and resolves when no email is being sent. Each
 * connection has a loop of its own, so that a slow email delays no other.
 */
export function startMailer(services: Services, list: readonly Email[]): () => Promise<void> {
  const { mail } = services.settings;
  if (!mail) return async () => undefined;
  const mailer = createMailer(services, list, openTransport(mail, services.log));
  const stops = Array.from({ length: CONNECTIONS }, () => {
    let wait = POLL_PAUSE;
    return forever(
      async () => {
        wait = (await mailer.sendDue()) ? POLL_PAUSE : Math.min(wait * 2, MAX_POLL_PAUSE);
      },
      () => wait,
      (error) => services.log('warn', 'emails could not be sent', { error: String(error) }),
    );
  });
  return async () => {
    mailer.stop();
    const ended = Promise.all(stops.map((stop) => stop()));
    await Promise.race([ended, pause(STOP_LIMIT, undefined, { ref: false })]);
    mailer.close();
    await ended;
  };
}
