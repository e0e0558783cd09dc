import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '#server/db/errors.ts';
import type { Shop } from '#server/services/shop.ts';
import { forever } from '#server/process/clock.ts';
import { type Carrier, CONNECTIONS, type Envelope, LetterTrouble, openCarrier } from './carrier.ts';
import { type Claim, claimLetter } from './claim.ts';
import type { Letter, OpenedLetter } from './letter.ts';
import { dueLetters, type Ended, type LetterRow } from './outbox.ts';
import { type Admission, admit, proofBlocks } from './proof.ts';
import { isAddress, placeOf, render, senderOf } from './render.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** The pauses before each further try of a letter that was refused for now, in ms. The last one repeats. */
const LATER = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 4 * 60 * MINUTE];

/** The same where the mail server was at fault. */
const SERVER = [5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE];

/** What is said of an email that waits, because its address is not proven and has had too many. In ms. */
const TOO_MANY = 'Its address is not confirmed, and has had as many emails as it may get in an hour.';
const TOO_MANY_WAIT = 60 * MINUTE;

/** A letter that could not be sent for so long has failed, in ms. */
const GIVES_UP = 3 * DAY;

const after = (times: readonly number[], tries: number): number =>
  times[Math.min(tries, times.length - 1)] ?? MINUTE;

export type Letters = ReadonlyMap<string, Letter>;

const isTooOld = ({ clock }: Shop, { createdAt }: LetterRow): boolean => createdAt + GIVES_UP <= clock();

/** The letter as it leaves the shop. */
async function compose(
  shop: Shop,
  letter: Letter,
  id: string,
  { address, name, language, write, replyTo }: OpenedLetter,
  { isProven, link, proofLink }: Admission,
): Promise<Envelope> {
  const sender = await senderOf(shop);
  const { subject, blocks } = write(placeOf(shop, sender, link), isProven);
  const text = { subject, blocks: [...blocks, ...proofBlocks(language, proofLink)] };
  return {
    id,
    kind: letter.kind,
    to: address,
    fromName: sender.storeName,
    replyTo: [replyTo ?? '', sender.companyEmail].find(isAddress) ?? '',
    // A customer typed the name.
    ...(await render(letter, text, { name: isProven ? name : '', language }, sender)),
  };
}

/** Writes a letter and gives it to the carrier. Returns how that ended. */
async function sendLetter(
  shop: Shop,
  letters: Letters,
  carrier: Carrier,
  row: LetterRow,
  { whileHeld }: Claim,
): Promise<Ended> {
  if (isTooOld(shop, row))
    return {
      state: 'failed',
      address: row.address,
      trouble: row.trouble || 'It waited too long, and was not tried.',
    };
  const letter = letters.get(row.kind);
  // During an upgrade the older process may meet a letter of the newer one.
  if (!letter)
    throw new LetterTrouble('later', 'unknown kind', 'This version of the shop does not know this letter.');
  const opened = await letter.open(shop.db, row.about, row.details, shop.clock());
  if (!opened) return { state: 'dropped' };
  const { address } = opened;
  if (!isAddress(address)) return { state: 'failed', address, trouble: 'This is no address.' };
  // What ends a link drops the letter as well. Then no link is made.
  const held = await whileHeld(async (transaction) => ({
    admission: await admit(transaction, shop, letter, row, opened),
  }));
  // Nothing is stored of that, because this process has the letter no more.
  if (held === undefined) return { state: 'dropped' };
  if (held.admission === undefined)
    return { state: 'waiting', trouble: TOO_MANY, nextTryAt: shop.clock() + TOO_MANY_WAIT };
  const envelope = await compose(shop, letter, row.id, opened, held.admission);
  try {
    await carrier.carry(envelope);
    return { state: 'sent', address: letter.forgetsAddress ? '' : address };
  } catch (error) {
    return { ...endedBy(shop, row, error), address };
  }
}

/** What follows a failed try. */
function endedBy(shop: Shop, row: LetterRow, error: unknown): Ended {
  const { clock, log } = shop;
  const { kind, tries } = row;
  const {
    kind: whose,
    code,
    words: trouble,
  } = error instanceof LetterTrouble
    ? error
    : new LetterTrouble('later', 'error', 'The letter could not be written.');
  log(code === 'error' ? 'error' : 'warn', 'letter not sent', {
    kind,
    tries: tries + 1,
    // The message of an error may have a part of the letter in it.
    trouble: code === 'error' && error instanceof Error ? error.name : code,
  });
  if (whose === 'never' || isTooOld(shop, row)) return { state: 'failed', trouble };
  const wait = after(whose === 'server' ? SERVER : LATER, tries);
  return { state: 'waiting', trouble, nextTryAt: clock() + wait, isServer: whose === 'server' };
}

export interface Sending {
  /**
   * Sends what is due, one letter after the other. Several may run at once. Returns whether the mail server took what it
   * was given last.
   */
  readonly work: () => Promise<boolean>;
  /** Begins no other letter. */
  readonly stop: () => void;
  readonly close: () => void;
}

/** How many due letters a worker reads at a time, because other workers may claim the first ones. */
const LOOKS_AT = 2 * CONNECTIONS;

/**
 * Sends the letters of the outbox. A letter is claimed before and marked afterwards, so no letter is lost when a
 * process dies, and one is sent twice only where a process or the mail server died after the server had the letter.
 */
export function createSending(shop: Shop, list: readonly Letter[], carrier: Carrier): Sending {
  const letters = new Map(list.map((letter) => [letter.kind, letter]));
  let isStopped = false;

  /** Claims a letter and tries it. Returns undefined where another has claimed it, else whether the mail server is there. */
  async function tryLetter(row: LetterRow): Promise<boolean | undefined> {
    const claim = await claimLetter(shop, row);
    if (!claim) return undefined;
    const ended = await sendLetter(shop, letters, carrier, row, claim).catch(async (error: unknown) => {
      if (!(error instanceof StorageError)) return endedBy(shop, row, error);
      await claim.stopRenewing();
      throw error;
    });
    await claim.end(ended);
    if (ended.state === 'sent') shop.log('info', 'letter sent', { kind: row.kind, tries: row.tries + 1 });
    return ended.isServer !== true;
  }

  /** Tries a letter that is due. Returns undefined where there is none, else whether the mail server is there. */
  async function tryNext(): Promise<boolean | undefined> {
    for (const row of await dueLetters(shop.db, shop.clock(), LOOKS_AT)) {
      const isThere = await tryLetter(row);
      if (isThere !== undefined) return isThere;
    }
    return undefined;
  }

  async function work(): Promise<boolean> {
    let failures = 0;
    // One letter alone may make the server hang up. If the next one fails as well, the server is away.
    while (failures < 2 && !isStopped) {
      const isThere = await tryNext();
      if (isThere === undefined) return failures === 0;
      failures = isThere ? 0 : failures + 1;
    }
    return false;
  }

  return {
    work,
    stop() {
      isStopped = true;
    },
    close: carrier.close,
  };
}

/** The pause between two looks at the outbox in ms, and the longest one while the mail server is away. */
const EVERY = SECOND;
const AWAY_MOST = 10 * SECOND;

/** How long letters that are on their way may take when the process stops, in ms. */
const STOP_LIMIT = 3 * SECOND;

/**
 * Sends once a second until the returned function is called, which resolves when no letter is on its way any more. Each
 * connection sends by itself, so that a letter which takes long holds up no other.
 */
export function sendForever(shop: Shop, list: readonly Letter[]): () => Promise<void> {
  const { mail } = shop.settings;
  if (!mail) return async () => undefined;
  const sending = createSending(shop, list, openCarrier(mail, shop.log));
  const stops = Array.from({ length: CONNECTIONS }, () => {
    let wait = EVERY;
    return forever(
      async () => {
        wait = (await sending.work()) ? EVERY : Math.min(wait * 2, AWAY_MOST);
      },
      () => wait,
      (error) => shop.log('warn', 'letters could not be sent', { error: String(error) }),
    );
  });
  return async () => {
    sending.stop();
    const ended = Promise.all(stops.map((stop) => stop()));
    await Promise.race([ended, pause(STOP_LIMIT, undefined, { ref: false })]);
    sending.close();
    await ended;
  };
}
