import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import * as v from 'valibot';
import type { Log } from '#server/process/log.ts';
import type { Mail } from '#server/settings/settings.ts';
import type { Rendered } from './render.tsx';

/** Why an email was not accepted, which decides when it is retried. */
type FailureKind =
  /** The mail server is down, busy, or refuses our sign-in: no email gets through now. */
  | 'server'
  /** This email may be accepted later. */
  | 'temporary'
  /** The mailbox is full. Its owner may make room within a day. */
  | 'full'
  /** This email is never accepted. */
  | 'permanent';

export interface Failure {
  readonly kind: FailureKind;
  /** An error code or a status of SMTP, for the log. */
  readonly code: string;
  /** For the admin. It may name the recipient, so it is not logged. */
  readonly explanation: string;
}

const MAX_EXPLANATION = 300;

/** nodemailer's errors: `code` is the step, `command` the last command, `responseCode` the server's status. */
const SmtpErrorSchema = v.object({
  message: v.fallback(v.string(), 'The email could not be sent.'),
  code: v.optional(v.string(), ''),
  command: v.optional(v.string(), ''),
  response: v.optional(v.string(), ''),
  responseCode: v.optional(v.number()),
});

/** The commands at which a server may refuse one email and accept the next. */
const MESSAGE_STEPS = ['RCPT TO', 'DATA'];

/** The server closes the connection (RFC 5321, 3.8). */
const CLOSING = 421;

/** The server closes the connection, or refuses the sign-in (RFC 4954, 6). */
const SERVER_REFUSES = [CLOSING, 530, 534, 535, 538];

/** Enhanced codes (RFC 3463) of failures that may pass: of system, network, protocol and policy, such as a quota. */
const MAY_PASS = /^5\d\d[ -]5\.(?:3\.(?!4\b)|[457]\.)/;

/** Some servers report a full mailbox without an enhanced code, or with that of a permanent failure. */
const FULL = /^[45]\d\d[ -][45]\.2\.2\b|^552[ -](?!5\.)|\b(?:mailbox|inbox) (?:is )?full\b|\bover ?quota\b/i;

type SmtpError = v.InferOutput<typeof SmtpErrorSchema>;

/** A 5xx is permanent (RFC 5321, 4.2.1), unless an enhanced code says otherwise. */
function kindOf({ code, command, response, responseCode = CLOSING }: SmtpError): FailureKind {
  // nodemailer found no valid address to send to.
  if (code === 'EENVELOPE' && command === 'API') return 'permanent';
  const isAboutEmail = MESSAGE_STEPS.some((step) => command.startsWith(step));
  if (!isAboutEmail || SERVER_REFUSES.includes(responseCode)) return 'server';
  if (FULL.test(response)) return 'full';
  return responseCode >= 500 && !MAY_PASS.test(response) ? 'permanent' : 'temporary';
}

/** Classifies what `send` has thrown. */
export function failureOf(thrown: unknown): Failure {
  const error = v.parse(SmtpErrorSchema, thrown);
  const { responseCode = error.code, message } = error;
  return { kind: kindOf(error), code: String(responseCode), explanation: message.slice(0, MAX_EXPLANATION) };
}

export interface Envelope extends Rendered {
  /** The local part of the Message-ID. It stays the same when the email is retried. */
  readonly id: string;
  readonly kind: string;
  readonly to: string;
  readonly fromName: string;
  readonly replyTo: string;
}

/** Sends emails to the mail server, or writes them into a folder. */
export interface MailTransport {
  /** Resolves when the mail server has accepted the email. @throws an error for `failureOf` */
  readonly send: (envelope: Envelope) => Promise<void>;
  /** Aborts the emails that are being sent; they fail. */
  readonly close: () => void;
}

/** In ms. */
const CONNECT_TIMEOUT = 10_000;

/** In ms. A server may check an email for minutes. Hanging up earlier sends it twice (RFC 5321, 4.5.3.2). */
const REPLY_TIMEOUT = 150_000;

/** The timeout of a whole email, in ms. */
const SEND_TIMEOUT = 180_000;

/** Hosts on this machine, which are reached without a network. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Connections of a process to the mail server. */
export const CONNECTIONS = 5;

function smtpTransport({ url, from }: Extract<Mail, { via: 'smtp' }>): MailTransport {
  const { username, hostname } = new URL(url);
  // The outbox retries, so nodemailer does not.
  const transport = createTransport({
    pool: true,
    url,
    maxConnections: CONNECTIONS,
    maxRequeues: 0,
    // A password is never sent over a network unencrypted.
    requireTLS: username !== '' && !LOOPBACK.test(hostname),
    connectionTimeout: CONNECT_TIMEOUT,
    greetingTimeout: CONNECT_TIMEOUT,
    dnsTimeout: CONNECT_TIMEOUT,
    socketTimeout: REPLY_TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const closing = new AbortController();
  const host = from.slice(from.lastIndexOf('@') + 1);
  return {
    async send({ id, to, fromName, replyTo, subject, text, html }) {
      await transport.sendMail({
        messageId: `<${id}@${host}>`,
        from: { name: fromName, address: from },
        to: { name: '', address: to },
        ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
        subject,
        text,
        html,
        // Keeps out-of-office replies away (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([AbortSignal.timeout(SEND_TIMEOUT), closing.signal]),
      });
    },
    close() {
      closing.abort();
      transport.close();
    },
  };
}

/** Writes emails into a folder, for development. A retried email overwrites its own file. */
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
