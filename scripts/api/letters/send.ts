import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import * as v from 'valibot';
import { isEmail } from '#domain/email.ts';
import { isPlainText } from '#domain/plain-text.ts';
import { StorageError } from '#scripts/api/db/errors.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { forever } from '#scripts/program/forever.ts';
import { STORE_DEFAULTS } from '#site.ts';
import { CARRY_LIMIT, type Carrier, CONNECTIONS, openCarrier } from './carrier.ts';
import type { Letter } from './letter.ts';
import { makeLink } from './links.ts';
import { claimLetter, dueLetters, type Ended, endTry, type LetterRow } from './outbox.ts';
import { render } from './render.ts';
import { LetterTrouble } from './trouble.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** How long a process has a letter for itself, in ms. */
const CLAIM = CARRY_LIMIT + 10 * SECOND;

/** How many letters a round takes. */
const A_ROUND = 100;

/** The pauses before each further try of a letter that was refused for now, in ms. The last one repeats. */
const LATER = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 4 * 60 * MINUTE];

/** The same where the mail server was at fault. */
const SERVER = [5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE];

/** A letter that could not be sent for so long has failed, in ms. */
const GIVES_UP = 3 * DAY;

const after = (times: readonly number[], tries: number): number =>
  times[Math.min(tries, times.length - 1)] ?? MINUTE;

const SenderSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    storeName: v.optional(v.string(), ''),
    companyName: v.optional(v.string(), ''),
    companyAddress: v.optional(v.string(), ''),
    companyEmail: v.optional(v.string(), ''),
    companyPhone: v.optional(v.string(), ''),
    refundDays: v.nullish(v.number(), STORE_DEFAULTS.refundDays),
  }),
);

/** Who the letters of this shop come from. */
export const senderOf = async ({ catalogue }: Pick<Shop, 'catalogue'>) =>
  v.parse(SenderSchema, (await catalogue()).storeInfo);

/** The origin of the site, which no request can change. */
export const siteOf = ({ settings }: Pick<Shop, 'settings'>): string => settings.siteOrigins[0] ?? '';

/** An address that would bring further recipients or headers with it is none (faults 107). */
const isAddress = (text: string): boolean => isPlainText(text) && isEmail(text) && !/[,;<>]/.test(text);

export type Letters = ReadonlyMap<string, Letter>;

/** Writes a letter and gives it to the carrier. Returns how that ended. */
async function sendLetter(shop: Shop, letters: Letters, carrier: Carrier, row: LetterRow): Promise<Ended> {
  const letter = letters.get(row.kind);
  if (!letter) return { state: 'failed', trouble: 'This version of the shop does not know this letter.' };
  const opened = await letter.open(shop.db, row.about, row.details);
  if (!opened) return { state: 'dropped' };
  const { address, name, language, linkAbout = row.about, write } = opened;
  if (!isAddress(address)) return { state: 'failed', address, trouble: 'This is no address.' };
  const site = siteOf(shop);
  const { link: kind } = letter;
  const link = kind
    ? await shop.db.write((transaction) => makeLink(transaction, shop, site, kind, linkAbout))
    : '';
  const sender = await senderOf(shop);
  const text = write({
    site,
    api: shop.apiOrigin,
    storeName: sender.storeName,
    refundDays: sender.refundDays,
    link,
  });
  const rendered = await render(text, { name, language }, sender);
  const { id } = row;
  try {
    await carrier.carry({
      id,
      kind: row.kind,
      to: address,
      fromName: sender.storeName,
      replyTo: isAddress(sender.companyEmail) ? sender.companyEmail : '',
      leave: text.leave,
      ...rendered,
    });
    return { state: 'sent', address: letter.forgetsAddress ? '' : address };
  } catch (error) {
    return { ...endedBy(shop, row, error), address };
  }
}

/** What follows a failed try. */
function endedBy({ clock, log }: Shop, { kind, tries, createdAt }: LetterRow, error: unknown): Ended {
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
    trouble: code === 'error' ? String(error) : code,
  });
  if (whose === 'never' || createdAt + GIVES_UP <= clock()) return { state: 'failed', trouble };
  const wait = after(whose === 'server' ? SERVER : LATER, tries);
  return { state: 'waiting', trouble, nextTryAt: clock() + wait, isServer: whose === 'server' };
}

/** How many times storing 'sent' is tried while the database is away, and the pause between, in ms. */
const PATIENCE = { tries: 100, pause: 100 };

/** A letter whose success is not stored would be sent again. */
async function patiently(store: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store();
      return;
    } catch (error) {
      if (!(error instanceof StorageError) || tries === PATIENCE.tries) throw error;
    }
    await pause(PATIENCE.pause);
  }
}

export interface Sending {
  /** Sends what is due. Returns whether the mail server took what it was given. */
  readonly round: () => Promise<boolean>;
  readonly close: () => void;
}

/**
 * Sends the letters of the outbox. A letter is claimed before and marked afterwards, so no letter is lost when a
 * process dies, and one is sent twice only where a process or the mail server died after the server had the letter
 * (faults 105).
 */
export function createSending(shop: Shop, list: readonly Letter[], carrier: Carrier): Sending {
  const letters = new Map(list.map((letter) => [letter.kind, letter]));
  const limit = pLimit(CONNECTIONS);

  /** Returns whether the mail server is there. */
  async function tryLetter(row: LetterRow): Promise<boolean> {
    const until = shop.clock() + CLAIM;
    const claimed = await shop.db.write((transaction) => claimLetter(transaction, row, until));
    if (claimed === 0) return true;
    const ended = await sendLetter(shop, letters, carrier, row).catch((error: unknown) => {
      if (error instanceof StorageError) throw error;
      return endedBy(shop, row, error);
    });
    await patiently(() =>
      shop.db.write((transaction) => endTry(transaction, shop.clock(), { ...row, nextTryAt: until }, ended)),
    );
    if (ended.state === 'sent') shop.log('info', 'letter sent', { kind: row.kind, tries: row.tries + 1 });
    return ended.isServer !== true;
  }

  return {
    async round() {
      let isThere = true;
      const due = await dueLetters(shop.db, shop.clock(), A_ROUND);
      await limit.map(due, async (row) => {
        // Where the server is away, the others wait for the next round, unclaimed.
        if (isThere && !(await tryLetter(row))) isThere = false;
      });
      return isThere;
    },
    close: carrier.close,
  };
}

/** The pause between two rounds in ms, and the longest one while the mail server is away. */
const EVERY = SECOND;
const AWAY_MOST = MINUTE;

/** Sends once a second until the returned function is called, which resolves when the last round has ended. */
export function sendForever(shop: Shop, list: readonly Letter[]): () => Promise<void> {
  const { mail } = shop.settings;
  if (!mail) return async () => undefined;
  const sending = createSending(shop, list, openCarrier(mail, shop.log));
  let wait = EVERY;
  const stop = forever(
    async () => {
      wait = (await sending.round()) ? EVERY : Math.min(wait * 2, AWAY_MOST);
    },
    () => wait,
    (error) => shop.log('warn', 'letters could not be sent', { error: String(error) }),
  );
  return async () => {
    await stop();
    sending.close();
  };
}
