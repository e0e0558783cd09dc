import * as v from 'valibot';
import { mailboxOf } from '#domain/email.ts';
import type { Language } from '#domain/language.ts';
import type { Transaction } from '#server/db/database.ts';
import { setMeta } from '#server/db/meta.ts';
import type { Services } from '#server/services/services.ts';
import type { Block, Email, LinkKind, LoadedEmail } from './email.ts';
import { makeLink, SITE_PATHS } from './links.ts';
import type { EmailRow } from './outbox.ts';
import { siteOf } from './render.ts';

/** The link by which a customer confirms that the email of the account is theirs. It is about the account and the email. */
export const EMAIL_VERIFICATION = {
  purpose: 'verifyEmail',
  email: '',
  path: SITE_PATHS.accountChange,
  minutes: 7 * 24 * 60,
} as const satisfies LinkKind;

const HOUR = 60 * 60_000;

/** How many emails an address gets in an hour until it is proven. The last of them is kept for urgent ones. */
const UNPROVEN_MOST = 5;

const AccountSchema = v.object({ id: v.string(), verified: v.number() });

/** The account of an address. Its email stays as it is until the transaction ends. */
const accountAt = (transaction: Transaction, address: string) =>
  transaction.get(
    AccountSchema,
    'SELECT id, email_verified AS verified FROM customers WHERE email = ? AND closed_at IS NULL FOR NO KEY UPDATE',
    address,
  );

/** The name of the row of meta that locks the count. */
const COUNTING = 'unverified_emails';

const CountSchema = v.object({ count: v.number() });

/**
 * Counts this email as one to its mailbox, unless it is one too many. An email counts while it is tried, and for an hour
 * after. Several addresses may be one mailbox, so until the transaction ends, no other one counts at all.
 */
async function countTo(
  transaction: Transaction,
  { id, urgent }: EmailRow,
  address: string,
  now: number,
): Promise<boolean> {
  await setMeta(transaction, COUNTING, id);
  const mailbox = mailboxOf(address);
  const others = await transaction.get(
    CountSchema,
    `SELECT COUNT(*) AS count FROM emails WHERE mailbox = ? AND id <> ? AND to_staff = 0
     AND (state = 'waiting' OR (state = 'sent' AND changed_at > ?))`,
    mailbox,
    id,
    now - HOUR,
  );
  if (!others || others.count >= (urgent ? UNPROVEN_MOST : UNPROVEN_MOST - 1)) return false;
  await transaction.run('UPDATE emails SET address = ?, mailbox = ? WHERE id = ?', address, mailbox, id);
  return true;
}

/** How an email may be sent. */
export interface Admission {
  readonly isVerified: boolean;
  /** The address of the email's own link, or ''. */
  readonly link: string;
  /** The address of a link that proves the address, or ''. */
  readonly verificationLink: string;
}

/**
 * Decides what an address may be sent, for every kind of email alike: a stranger's address must not get text that a
 * customer typed, nor many emails. Emails to the company and its staff are exempt. Makes the links. Returns undefined
 * where the address has had too many emails.
 */
export async function admit(
  transaction: Transaction,
  services: Services,
  { link: kind, isToStaff }: Email,
  row: EmailRow,
  { address, isTypedByOthers, linkAbout = row.about }: LoadedEmail,
): Promise<Admission | undefined> {
  const make = (made: LinkKind, about: string) =>
    makeLink(transaction, services, siteOf(services), made, about);
  const account = isToStaff ? undefined : await accountAt(transaction, address);
  const isVerified = isToStaff || (!isTypedByOthers && account?.verified === 1);
  if (!isVerified && !(await countTo(transaction, row, address, services.clock()))) return undefined;
  const link = kind ? await make(kind, linkAbout) : '';
  const isVerifiable = !isVerified && account !== undefined && kind === undefined;
  return {
    isVerified,
    link,
    verificationLink: isVerifiable ? await make(EMAIL_VERIFICATION, `${account.id} ${address}`) : '',
  };
}

const WORDS = {
  en: {
    why: 'We say no more by email until you confirm that this address is yours. If you have no account with us, do nothing.',
    button: 'Confirm this email',
  },
  hi: {
    why: 'जब तक आप पक्का नहीं करते कि यह पता आपका है, हम ईमेल में इससे ज़्यादा नहीं लिखेंगे। अगर हमारे यहाँ आपका अकाउंट नहीं है, तो कुछ न करें।',
    button: 'यह ईमेल पक्का करें',
  },
} as const satisfies Record<Language, object>;

/** What an email to an address that is not proven says besides. @param proofLink '' for none */
export const verificationBlocks = (language: Language, verificationLink: string): Block[] =>
  verificationLink
    ? [{ text: WORDS[language].why }, { button: WORDS[language].button, address: verificationLink }]
    : [];

/** Stores that the email of an account is proven. Returns false where the account has another one now. @param about what the link is about */
export async function verifyEmail(transaction: Transaction, about: string): Promise<boolean> {
  const [id = '', email = ''] = about.split(' ');
  const verified = await transaction.run(
    'UPDATE customers SET email_verified = 1 WHERE id = ? AND email = ? AND closed_at IS NULL',
    id,
    email,
  );
  return verified > 0;
}
