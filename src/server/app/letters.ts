import { CONTACT_EMAILS } from '#server/contact/contact.ts';
import { ACCOUNT_LETTERS } from '#server/customers/letters.ts';
import type { Letter } from '#server/email/letter.ts';
import { ORDER_LETTERS } from '#server/orders/letters.ts';
import { RETURN_LETTERS } from '#server/orders/returns/letters.ts';
import { MONEY_LETTERS } from '#server/payments/letters/money-letters.ts';
import { OWNER_MONEY_LETTERS } from '#server/payments/letters/owner-letters.ts';
import { DAILY_LETTERS } from './daily-letter.ts';

/**
 * Every letter of the shop. One more is an entry of its room's `letters.ts`, which says when it is sent, to whom, its
 * subject and its text, and a `queueLetter` in the transaction that makes the change.
 */
export const LETTERS: readonly Letter[] = [
  ORDER_LETTERS,
  RETURN_LETTERS,
  MONEY_LETTERS,
  OWNER_MONEY_LETTERS,
  DAILY_LETTERS,
  ACCOUNT_LETTERS,
  CONTACT_EMAILS,
].flatMap((letters) => Object.values<Letter>(letters));
