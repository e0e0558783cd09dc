import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import * as v from 'valibot';
import type { Log } from '#server/process/log.ts';
import type { Mail } from '#server/settings/settings.ts';
import type { Rendered } from './render.ts';

/** Whose fault it is that an email was not taken, which decides what happens next. */
export type ErrorKind =
  /** The mail server is down, busy, or refuses our sign-in: no email gets through at the moment. */
  | 'server'
  /** This email may be taken later. */
  | 'later'
  /** This email is never taken. */
  | 'never';

export class EmailError extends Error {
  readonly kind: ErrorKind;
  /** What the admin shows. It may name the recipient, so it is not logged. */
  readonly words: string;
  /** A word or a status of the protocol, for the log. */
  readonly code: string;

  constructor(kind: ErrorKind, code: string, words: string) {
    super(code);
    this.kind = kind;
    this.code = code;
    this.words = words;
  }
}

const WORDS_MOST = 300;

/** nodemailer's errors: `code` says at which step, `command` after which command, `responseCode` what the server said. */
const SmtpErrorSchema = v.object({
  message: v.string(),
  code: v.optional(v.string(), ''),
  command: v.optional(v.string(), ''),
  response: v.optional(v.string(), ''),
  responseCode: v.optional(v.number()),
});

/** The steps at which a server may refuse one email and take the next. */
const MESSAGE_STEPS = ['RCPT TO', 'DATA'];

/** The server wants another sign-in (RFC 4954, 6). */
const SIGN_IN = [530, 534, 535, 538];

/** The server closes the connection (RFC 5321, 3.8). */
const CLOSING = 421;

/**
 * Enhanced codes (RFC 3463) of refusals that are not about this email, but about the shop, the network or a quota: system,
 * network, protocol and policy. They may pass.
 */
const MAY_PASS = /^5\d\d[ -]5\.(?:3\.(?!4\b)|[457]\.)/;

/**
 * What nodemailer's error means. A status of 5xx is final, one of 4xx is not (RFC 5321, 4.2.1), unless an enhanced code
 * says more.
 */
export function emailErrorOf(error: unknown): EmailError {
  const parsed = v.safeParse(SmtpErrorSchema, error);
  if (!parsed.success) return new EmailError('server', 'unknown', String(error).slice(0, WORDS_MOST));
  const { message, code, command, response, responseCode } = parsed.output;
  const words = message.slice(0, WORDS_MOST);
  // nodemailer itself found no address that it could give to a server.
  if (code === 'EENVELOPE' && command === 'API') return new EmailError('never', code, words);
  const isOfEmail =
    responseCode !== undefined &&
    responseCode !== CLOSING &&
    !SIGN_IN.includes(responseCode) &&
    MESSAGE_STEPS.some((step) => command.startsWith(step));
  if (!isOfEmail) return new EmailError('server', code || String(responseCode), words);
  const isFinal = responseCode >= 500 && !MAY_PASS.test(response);
  return new EmailError(isFinal ? 'never' : 'later', String(responseCode), words);
}

/** An email as it leaves the shop. */
export interface Envelope extends Rendered {
  /** The email's id, which names it for every try. */
  readonly id: string;
  readonly kind: string;
  readonly to: string;
  readonly fromName: string;
  readonly replyTo: string;
}

/** Hands emails to the mail server, or writes them into a folder. */
export interface MailTransport {
  /** Resolves when the mail server has accepted the email. @throws EmailError */
  readonly send: (envelope: Envelope) => Promise<void>;
  /** What is on its way is given up, and fails. */
  readonly close: () => void;
}

/** How long connecting to the mail server may take, in ms. */
const CONNECT_LIMIT = 10_000;

/**
 * How long the mail server may think about a command, in ms. Some check an email for a minute or two before they accept it.
 * If we hang up earlier, the email is sent twice (RFC 5321, 4.5.3.2).
 */
const ANSWER_LIMIT = 150_000;

/** How long one email may take, in ms. */
const SEND_LIMIT = 180_000;

/** Names of this machine itself: nothing that is sent there crosses a network. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** How many connections to the mail server a process has. */
export const CONNECTIONS = 5;

function smtpTransport({ url, from }: Extract<Mail, { via: 'smtp' }>): MailTransport {
  const { username, hostname } = new URL(url);
  // The outbox tries again, so nodemailer does not.
  const transport = createTransport({
    pool: true,
    url,
    maxConnections: CONNECTIONS,
    maxRequeues: 0,
    // A password never goes over a network in the clear.
    requireTLS: username !== '' && !LOOPBACK.test(hostname),
    connectionTimeout: CONNECT_LIMIT,
    greetingTimeout: CONNECT_LIMIT,
    dnsTimeout: CONNECT_LIMIT,
    socketTimeout: ANSWER_LIMIT,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const closing = new AbortController();
  const host = from.slice(from.lastIndexOf('@') + 1);
  return {
    async send({ id, to, fromName, replyTo, subject, text, html }) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${host}>`,
          from: { name: fromName, address: from },
          to: { name: '', address: to },
          ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
          subject,
          text,
          html,
          // Absence notices and the like must not answer (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.any([AbortSignal.timeout(SEND_LIMIT), closing.signal]),
        });
      } catch (error) {
        throw emailErrorOf(error);
      }
    },
    close() {
      closing.abort();
      transport.close();
    },
  };
}

/** Writes emails into a folder, for whoever works on the shop. An email sent again overwrites itself. */
const folderTransport = ({ folder }: Extract<Mail, { via: 'files' }>, log: Log): MailTransport => ({
  async send({ id, kind, to, subject, text, html }) {
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${kind}-${id}`);
    await writeFile(`${file}.txt`, `To: ${to}\nSubject: ${subject}\n\n${text}`, { mode: 0o600 });
    await writeFile(`${file}.html`, html, { mode: 0o600 });
    log('info', 'email written instead of sent, because SMTP_URL is not set', {
      kind,
      file: `${file}.html`,
    });
  },
  close: () => undefined,
});

export const openTransport = (mail: Mail, log: Log): MailTransport =>
  mail.via === 'smtp' ? smtpTransport(mail) : folderTransport(mail, log);
