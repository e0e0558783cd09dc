import { CONTACT_EMAILS } from '#server/contact/contact.ts';
import { ACCOUNT_EMAILS } from '#server/customers/emails.ts';
import type { Email } from '#server/email/email.ts';
import { ORDER_EMAILS } from '#server/fulfilment/emails.ts';
import { RETURN_EMAILS } from '#server/fulfilment/returns/return-steps.ts';
import { LEDGER_EMAILS } from '#server/ledger/emails.ts';
import { PAYMENT_EMAILS } from '#server/payments/emails.ts';
import { STAFF_EMAILS } from '#server/staff/access-changes.ts';
import { DAILY_EMAILS } from './daily-email.ts';
import { NOTIFICATION_EMAILS } from './staff-notifications.ts';

/**
 * Every email of the shop. To add one, add an entry to its module's `emails.ts` (when it is sent, to whom, its subject and
 * text), and call `queueEmail` in the transaction of the change that it reports.
 */
export const EMAILS: readonly Email[] = [
  ORDER_EMAILS,
  RETURN_EMAILS,
  LEDGER_EMAILS,
  PAYMENT_EMAILS,
  DAILY_EMAILS,
  ACCOUNT_EMAILS,
  CONTACT_EMAILS,
  STAFF_EMAILS,
  NOTIFICATION_EMAILS,
].flatMap((emails) => Object.values<Email>(emails));
