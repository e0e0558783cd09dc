import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '#server/db/errors.ts';
import { forever } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { type Claim, claimEmail } from './claim.ts';
import type { Email, LoadedEmail } from './email.ts';
import { dueEmails, type EmailRow, type SendResult } from './outbox.ts';
import { emailValuesOf, isAddress, render, senderOf } from './render.ts';
import { CONNECTIONS, EmailError, type Envelope, type MailTransport, openTransport } from './transport.ts';
import { type Admission, admit, verificationBlocks } from './verification.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** The pauses before each further try of an email that was refused for now, in ms. The last one repeats. */
const LATER = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 4 * 60 * MINUTE];

/** The same where the mail server was at fault. */
const SERVER = [5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE];

/** What is said of an email that waits, because its address is not proven and has had too many. In ms. */
const TOO_MANY = 'Its address is not confirmed, and has had as many emails as it may get in an hour.';
const TOO_MANY_WAIT = 60 * MINUTE;

/** An email that could not be sent for so long has failed, in ms. */
const GIVES_UP = 3 * DAY;

const after = (times: readonly number[], tries: number): number =>
  times[Math.min(tries, times.length - 1)] ?? MINUTE;

export type EmailsByKind = ReadonlyMap<string, Email>;

const isTooOld = ({ clock }: Services, { createdAt }: EmailRow): boolean => createdAt + GIVES_UP <= clock();

/** The email as it leaves the shop. */
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
    // A customer typed the name.
    ...(await render(email, text, { name: isVerified ? name : '', language }, sender)),
  };
}

/** Writes an email and gives it to the carrier. Returns how that ended. */
async function sendEmail(
  services: Services,
  emails: EmailsByKind,
  transport: MailTransport,
  row: EmailRow,
  { whileClaimed }: Claim,
): Promise<SendResult> {
  if (isTooOld(services, row))
    return {
      state: 'failed',
      address: row.address,
      failure: row.failure || 'It waited too long, and was not tried.',
    };
  const email = emails.get(row.kind);
  // During an upgrade the older process may meet an email of the newer one.
  if (!email)
    throw new EmailError('later', 'unknown kind', 'This version of the shop does not know this email.');
  const loaded = await email.load(services.db, row.about, row.details, services.clock());
  if (!loaded) return { state: 'dropped' };
  const { address } = loaded;
  if (!isAddress(address)) return { state: 'failed', address, failure: 'This is no address.' };
  // What ends a link drops the email as well. Then no link is made.
  const held = await whileClaimed(async (transaction) => ({
    admission: await admit(transaction, services, email, row, loaded),
  }));
  // Nothing is stored of that, because this process has the email no more.
  if (held === undefined) return { state: 'dropped' };
  if (held.admission === undefined)
    return { state: 'waiting', failure: TOO_MANY, nextTryAt: services.clock() + TOO_MANY_WAIT };
  const envelope = await compose(services, email, row.id, loaded, held.admission);
  try {
    await transport.send(envelope);
    return { state: 'sent', address: email.erasesAddress ? '' : address };
  } catch (error) {
    return { ...endedBy(services, row, error), address };
  }
}

/** What follows a failed try. */
function endedBy(services: Services, row: EmailRow, error: unknown): SendResult {
  const { clock, log } = services;
  const { kind, tries } = row;
  const {
    kind: whose,
    code,
    words: failure,
  } = error instanceof EmailError
    ? error
    : new EmailError('later', 'error', 'The email could not be written.');
  log(code === 'error' ? 'error' : 'warn', 'email not sent', {
    kind,
    tries: tries + 1,
    // The message of an error may have a part of the email in it.
    failure: code === 'error' && error instanceof Error ? error.name : code,
  });
  if (whose === 'never' || isTooOld(services, row)) return { state: 'failed', failure };
  const wait = after(whose === 'server' ? SERVER : LATER, tries);
  return { state: 'waiting', failure, nextTryAt: clock() + wait, isServer: whose === 'server' };
}

export interface Mailer {
  /**
   * Sends what is due, one email after the other. Several may run at once. Returns whether the mail server took what it
   * was given last.
   */
  readonly sendDue: () => Promise<boolean>;
  /** Begins no other letter. */
  readonly stop: () => void;
  readonly close: () => void;
}

/** How many due emails a worker reads at a time, because other workers may claim the first ones. */
const LOOKS_AT = 2 * CONNECTIONS;

/**
 * Sends the emails of the outbox. An email is claimed before and marked afterwards, so no email is lost when a
 * process dies, and one is sent twice only where a process or the mail server died after the server had the email.
 */
export function createMailer(services: Services, list: readonly Email[], transport: MailTransport): Mailer {
  const emails = new Map(list.map((email) => [email.kind, email]));
  let isStopped = false;

  /** Claims an email and tries it. Returns undefined where another has claimed it, else whether the mail server is there. */
  async function tryEmail(row: EmailRow): Promise<boolean | undefined> {
    const claim = await claimEmail(services, row);
    if (!claim) return undefined;
    const ended = await sendEmail(services, emails, transport, row, claim).catch(async (error: unknown) => {
      if (!(error instanceof StorageError)) return endedBy(services, row, error);
      await claim.stopRenewing();
      throw error;
    });
    await claim.end(ended);
    if (ended.state === 'sent') services.log('info', 'email sent', { kind: row.kind, tries: row.tries + 1 });
    return ended.isServer !== true;
  }

  /** Tries an email that is due. Returns undefined where there is none, else whether the mail server is there. */
  async function tryNext(): Promise<boolean | undefined> {
    for (const row of await dueEmails(services.db, services.clock(), LOOKS_AT)) {
      const isThere = await tryEmail(row);
      if (isThere !== undefined) return isThere;
    }
    return undefined;
  }

  async function sendDue(): Promise<boolean> {
    let failures = 0;
    // One email alone may make the server hang up. If the next one fails as well, the server is away.
    while (failures < 2 && !isStopped) {
      const isThere = await tryNext();
      if (isThere === undefined) return failures === 0;
      failures = isThere ? 0 : failures + 1;
    }
    return false;
  }

  return {
    sendDue,
    stop() {
      isStopped = true;
    },
    close: transport.close,
  };
}

/** The pause between two looks at the outbox in ms, and the longest one while the mail server is away. */
const EVERY = SECOND;
const AWAY_MOST = 10 * SECOND;

/** How long emails that are on their way may take when the process stops, in ms. */
const STOP_LIMIT = 3 * SECOND;

/**
 * Sends once a second until the returned function is called, which resolves when no email is on its way any more. Each
 * connection sends by itself, so that an email which takes long holds up no other.
 */
export function startMailer(services: Services, list: readonly Email[]): () => Promise<void> {
  const { mail } = services.settings;
  if (!mail) return async () => undefined;
  const mailer = createMailer(services, list, openTransport(mail, services.log));
  const stops = Array.from({ length: CONNECTIONS }, () => {
    let wait = EVERY;
    return forever(
      async () => {
        wait = (await mailer.sendDue()) ? EVERY : Math.min(wait * 2, AWAY_MOST);
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
