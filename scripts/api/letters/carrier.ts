import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Log } from '#scripts/program/log.ts';
import type { Mail } from '#scripts/settings/settings.ts';
import type { Rendered } from './render.ts';
import { troubleOf } from './trouble.ts';

/** A letter as it leaves the shop. */
export interface Envelope extends Rendered {
  /** The letter's id, which names it for every try. */
  readonly id: string;
  readonly kind: string;
  readonly to: string;
  readonly fromName: string;
  readonly replyTo: string;
}

/** Hands letters to the mail server, or writes them into a folder. */
export interface Carrier {
  /** Resolves when the mail server has accepted the letter. @throws LetterTrouble */
  readonly carry: (envelope: Envelope) => Promise<void>;
  /** What is on its way is given up, and fails. */
  readonly close: () => void;
}

/** How long connecting to the mail server may take, in ms. */
const CONNECT_LIMIT = 10_000;

/**
 * How long the mail server may think about a command, in ms. Some check a letter for a minute or two before they accept it.
 * If we hang up earlier, the letter is sent twice (RFC 5321, 4.5.3.2).
 */
const ANSWER_LIMIT = 150_000;

/** How long one letter may take, in ms. */
const CARRY_LIMIT = 180_000;

/** Names of this machine itself: nothing that is sent there crosses a network. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** How many connections to the mail server a process has. */
export const CONNECTIONS = 5;

function smtpCarrier({ url, from }: Extract<Mail, { via: 'smtp' }>): Carrier {
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
    async carry({ id, to, fromName, replyTo, subject, text, html }) {
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
          signal: AbortSignal.any([AbortSignal.timeout(CARRY_LIMIT), closing.signal]),
        });
      } catch (error) {
        throw troubleOf(error);
      }
    },
    close() {
      closing.abort();
      transport.close();
    },
  };
}

/** Writes letters into a folder, for whoever works on the shop. A letter sent again overwrites itself. */
const folderCarrier = ({ folder }: Extract<Mail, { via: 'files' }>, log: Log): Carrier => ({
  async carry({ id, kind, to, subject, text, html }) {
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${kind}-${id}`);
    await writeFile(`${file}.txt`, `To: ${to}\nSubject: ${subject}\n\n${text}`, { mode: 0o600 });
    await writeFile(`${file}.html`, html, { mode: 0o600 });
    log('info', 'letter written instead of sent, because SMTP_URL is not set', {
      kind,
      file: `${file}.html`,
    });
  },
  close: () => undefined,
});

export const openCarrier = (mail: Mail, log: Log): Carrier =>
  mail.via === 'smtp' ? smtpCarrier(mail) : folderCarrier(mail, log);
