import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '#server/db/errors.ts';
import { DAY, forever, MINUTE, SECOND } from '#server/process/clock.ts';
import { loggedError } from '#server/process/log.ts';
import type { Services } from '#server/services/services.ts';
import type { Email, LoadedEmail } from './email.ts';
import {
  CLAIM,
  dueEmails,
  type EmailRow,
  type SendResult,
  setClaim,
  storeResult,
  TOO_MANY,
} from './outbox.ts';
import { emailValuesOf, isAddress, render, senderOf } from './render.tsx';
import {
  CONNECTIONS,
  type Envelope,
  type Failure,
  failureOf,
  type MailTransport,
  openTransport,
} from './transport.ts';
import { type Admission, admit, verificationBlocks } from './verification.ts';

/** The pauses before the retries of an email that was refused temporarily, in ms. The last one repeats. */
export const EMAIL_RETRIES = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 4 * 60 * MINUTE];

/** The same if the mail server cannot be reached or fails. */
const SERVER_RETRIES = [5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE];

/** In ms. */
const TOO_MANY_PAUSE = 60 * MINUTE;

/** How long an email is retried, in ms. A full mailbox has a shorter limit. */
export const GIVE_UP_AFTER = 3 * DAY;
const GIVE_UP_FULL_AFTER = DAY;

type ClaimedRow = EmailRow & { nextTryAt: number };

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

/** Decides when a failed email is tried again. */
function failedResult(
  { clock, log }: Services,
  { kind: email, tries, createdAt }: EmailRow,
  { kind, code, explanation: failure }: Failure,
): SendResult {
  log('warn', 'email not sent', { kind: email, tries, failure: code });
  const giveUpAt = createdAt + (kind === 'full' ? GIVE_UP_FULL_AFTER : GIVE_UP_AFTER);
  if (kind === 'permanent' || giveUpAt <= clock()) return { state: 'failed', failure };
  const isServerDown = kind === 'server';
  const pauses = isServerDown ? SERVER_RETRIES : EMAIL_RETRIES;
  const pause = pauses[Math.min(tries, pauses.length) - 1] ?? MINUTE;
  return { state: 'waiting', failure, nextTryAt: clock() + pause, isServerDown };
}

/** Extends the claim until the returned function is called, because a mail server may check an email for minutes. */
const keepClaim = ({ db, clock, log }: Services, row: ClaimedRow): (() => Promise<void>) =>
  forever(
    async () => {
      const until = clock() + CLAIM;
      if (until - row.nextTryAt < CLAIM / 3) return;
      if ((await db.write((transaction) => setClaim(transaction, row, until, 0))) > 0) row.nextTryAt = until;
    },
    () => SECOND,
    (error) => log('warn', 'the claim of an email could not be renewed', { error: loggedError(error) }),
  );

/** Writes and sends an email that this process has claimed. */
async function sendEmail(
  services: Services,
  emails: readonly Email[],
  transport: MailTransport,
  row: ClaimedRow,
): Promise<SendResult> {
  const { db, clock } = services;
  if (row.createdAt + GIVE_UP_AFTER <= clock())
    return { state: 'failed', failure: row.failure || 'It waited too long, and was not tried.' };
  const email = emails.find(({ kind }) => kind === row.kind);
  // During an upgrade, the older process may find an email of the newer one.
  if (!email) throw new Error('This version of the program does not know this kind of email.');
  const loaded = await email.load(db, row.subjectId, row.details, clock());
  if (!loaded) return { state: 'dropped' };
  const { address } = loaded;
  if (!isAddress(address)) return { state: 'failed', address, failure: 'This is no address.' };
  // Code that ends a link also drops the email, so no link is made afterwards.
  const admission = await db.write(async (transaction) =>
    (await setClaim(transaction, row, row.nextTryAt, 0)) > 0
      ? admit(transaction, services, email, row, loaded)
      : 'dropped',
  );
  if (admission === 'dropped') return { state: 'dropped' };
  if (!admission) return { state: 'waiting', failure: TOO_MANY, nextTryAt: clock() + TOO_MANY_PAUSE };
  const envelope = await compose(services, email, row.id, loaded, admission);
  const endClaim = keepClaim(services, row);
  try {
    await transport.send(envelope);
    return { state: 'sent', address: email.erasesAddress ? '' : address };
  } catch (error) {
    return { ...failedResult(services, row, failureOf(error)), address };
  } finally {
    await endClaim();
  }
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
      // The message of an unexpected error may contain a part of the email.
      failedResult(services, row, {
        kind: 'temporary',
        code: error instanceof Error ? error.name : 'error',
        explanation: 'This version of the shop could not write it.',
      }),
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
      (error) => services.log('warn', 'emails could not be sent', { error: loggedError(error) }),
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
