import { mailboxOf } from '#domain/email.ts';
import type { Language } from '#domain/language.ts';
import type { Transaction } from '#server/db/database.ts';
import { setMeta } from '#server/db/meta.ts';
import { prepared, q } from '#server/db/query.ts';
import { HOUR, SKEW } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { type Block, blocksOf, type Email, type LinkKind, type LoadedEmail } from './email.ts';
import { makeLink, SITE_PATHS } from './links.ts';
import type { EmailRow } from './outbox.ts';
import { siteOf } from './render.tsx';

/** The link by which a customer verifies the account's email. Its subject is the account with the email. */
export const EMAIL_VERIFICATION = {
  purpose: 'verifyEmail',
  email: 'emailToConfirm',
  path: SITE_PATHS.accountChange,
  minutes: 7 * 24 * 60,
} as const satisfies LinkKind;

/** Limits per hour: for an unverified mailbox, and for urgent emails of one kind to an exact address. */
export const MAX_UNVERIFIED = 4;
const MAX_URGENT = 10;

/** Locks the account, so that its email cannot change until the transaction ends. */
const ACCOUNT_AT = prepared(({ address }: { address: string }) =>
  q
    .selectFrom('customers')
    .select(['id', 'emailVerified'])
    .where('email', '=', address)
    .where('closedAt', 'is', null)
    .forNoKeyUpdate(),
);

/** The row of `meta` that serialises the counting. */
const COUNT_LOCK = 'unverified_emails';

/**
 * Counts this email for its mailbox, which may have several addresses. Returns false at the limit. An email counts
 * while it waits and for an hour after it was sent. An urgent one counts only for its kind and exact address, so that
 * emails that other people cause, to aliases or of other kinds, cannot hold it back.
 */
async function countForMailbox(
  transaction: Transaction,
  { id, kind, urgent }: EmailRow,
  address: string,
  now: number,
): Promise<boolean> {
  await setMeta(transaction, COUNT_LOCK, id);
  const mailbox = mailboxOf(address);
  const others = await transaction.row(
    q
      .selectFrom('emails')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .$if(urgent === 0, (all) => all.where('mailbox', '=', mailbox).where('urgent', '=', 0))
      .$if(urgent === 1, (all) => all.where('address', '=', address).where('kind', '=', kind))
      .where('id', '<>', id)
      .where('toStaff', '=', 0)
      .where(({ eb, or, and }) =>
        or([
          eb('state', '=', 'waiting'),
          and([
            eb('state', '=', 'sent'),
            eb('changedAt', '>', now - HOUR),
            eb('changedAt', '<=', now + SKEW),
          ]),
        ]),
      ),
  );
  if (!others || others.count >= (urgent ? MAX_URGENT : MAX_UNVERIFIED)) return false;
  await transaction.run(q.updateTable('emails').set({ address, mailbox }).where('id', '=', id));
  return true;
}

/**
 * Decides what an address may be sent, and makes the links. A stranger's address must get no text that a customer typed,
 * and few emails. Emails to the company and its staff are exempt. Returns undefined if the address has reached its limit.
 * `link` is the URL of the email's own link, `verificationLink` of one that verifies the address; each is '' for none.
 */
export async function admit(
  transaction: Transaction,
  services: Services,
  { link: kind, isToStaff }: Email,
  row: EmailRow,
  { address, isTypedByOthers, linkSubjectId = row.subjectId }: LoadedEmail,
) {
  const account = isToStaff ? undefined : await transaction.row(ACCOUNT_AT({ address }));
  const isVerified = isToStaff || (!isTypedByOthers && account?.emailVerified === 1);
  const make = (made: LinkKind, subjectId: string) =>
    makeLink(transaction, services.clock(), siteOf(services), made, subjectId, isVerified ? address : '');
  if (!isVerified && !(await countForMailbox(transaction, row, address, services.clock()))) return undefined;
  const link = kind ? await make(kind, linkSubjectId) : '';
  const isVerifiable = !isVerified && !isTypedByOthers && account !== undefined && kind === undefined;
  return {
    isVerified,
    link,
    verificationLink: isVerifiable ? await make(EMAIL_VERIFICATION, `${account.id} ${address}`) : '',
  };
}

export type Admission = NonNullable<Awaited<ReturnType<typeof admit>>>;

const TEXTS: Readonly<Record<Language, string>> = {
  en: `We say no more by email until you confirm that this address is yours. If you have no account with us, the same page closes the one that was opened with it.
    [Confirm this email]`,
  hi: `जब तक आप पक्का नहीं करते कि यह पता आपका है, हम ईमेल में इससे ज़्यादा नहीं लिखेंगे। अगर हमारे यहाँ आपका अकाउंट नहीं है, तो उसी पेज पर इस पते से खोला गया अकाउंट बंद हो जाता है।
    [यह ईमेल पक्का करें]`,
};

/** Appended to an email to an unverified address. @param verificationLink '' for none */
export const verificationBlocks = (language: Language, verificationLink: string): Block[] =>
  verificationLink ? blocksOf(TEXTS[language], verificationLink) : [];

/** Whether the account still has this email, and nobody has verified it. @param subjectId of the link */
export async function isUnverified(transaction: Transaction, subjectId: string): Promise<boolean> {
  const [id, email = ''] = subjectId.split(' ');
  const account = await transaction.row(ACCOUNT_AT({ address: email }));
  return account?.id === id && account?.emailVerified === 0;
}

/** Marks the email of an account as verified. Returns false if the account has another email now. @param subjectId of the link */
export async function verifyEmail(transaction: Transaction, subjectId: string): Promise<boolean> {
  const [id = '', email = ''] = subjectId.split(' ');
  const update = q.updateTable('customers').set({ emailVerified: 1 }).where('id', '=', id);
  return (await transaction.run(update.where('email', '=', email).where('closedAt', 'is', null))) > 0;
}
