import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** An email's envelope and content. */
export interface Received extends Email {
  /** Of the envelope: where it was really delivered. */
  readonly recipients: readonly string[];
  readonly raw: string;
  readonly at: number;
}

/**
 * What the server does instead of accepting an email. `dies after DATA` has the email, and never confirms it.
 * `hangs up` closes the connection of that email alone. With `until` it has the email, and confirms it when that
 * resolves.
 */
export type Mischief =
  | { readonly refuse: number; readonly words?: string }
  | { readonly until: Promise<void> }
  | 'dies after DATA'
  | 'hangs up'
  | undefined;

/** A real mail server on a port of this computer. It is away until `open`, and again after `close`. */
export function createMailServer() {
  const received: Received[] = [];
  let mischief: (recipient: string) => Mischief = () => undefined;
  let server: SMTPServer | undefined;
  let port = 0;

  const refusal = (status: number, words = 'No such mailbox here') =>
    Object.assign(new Error(`${words} (${status})`), { responseCode: status });

  const start = () =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo({ address }, _session, done) {
        const wish = mischief(address);
        done(typeof wish === 'object' && 'refuse' in wish ? refusal(wish.refuse, wish.words) : undefined);
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          const raw = Buffer.concat(chunks).toString();
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          const wishes = recipients.map((address) => mischief(address));
          if (wishes.includes('hangs up')) {
            for (const { session: its, _socket } of server?.connections ?? [])
              if (its.id === session.id) _socket.destroy();
            return;
          }
          received.push({ ...(await PostalMime.parse(raw)), recipients, raw, at: Date.now() });
          for (const wish of wishes) if (typeof wish === 'object' && 'until' in wish) await wish.until;
          if (wishes.includes('dies after DATA')) {
            void close();
            return;
          }
          done();
        });
      },
    }).on('error', () => undefined);

  const open = () =>
    new Promise<void>((resolve) => {
      server = start();
      const { server: listening } = server;
      listening.listen(port, '127.0.0.1', () => {
        const address = listening.address();
        if (typeof address === 'object' && address) port = address.port;
        resolve();
      });
    });

  const close = () =>
    new Promise<void>((resolve) => {
      const closing = server;
      server = undefined;
      if (!closing) return resolve();
      for (const connection of closing.connections) connection._socket.destroy();
      closing.close(resolve);
    });

  return {
    received,
    open,
    close,
    /** Known after the first `open`. */
    address: () => `smtp://127.0.0.1:${port}`,
    /** @param next what becomes of an email to this address */
    misbehave: (next: (recipient: string) => Mischief) => {
      mischief = next;
    },
  };
}
