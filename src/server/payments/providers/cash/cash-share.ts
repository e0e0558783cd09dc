import type { Language } from '#domain/language.ts';
import { STATUSES } from '#domain/order-status.ts';
import { ACCOUNT_EMAILS } from '#server/customers/emails.ts';
import type { Reader } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { ifRefused } from '#server/http/refusal.ts';
import type { Payers } from '#server/limits/counts.ts';
import type { Services } from '#server/services/services.ts';

const TEXTS: Readonly<Record<Language, { readonly link: string; readonly later: string }>> = {
  en: {
    link: 'Confirm your email (we have just sent a link), or pay online.',
    later: 'Please pay online, or try again in an hour.',
  },
  hi: {
    link: 'अपना ईमेल पक्का करें (हमने अभी लिंक भेजा है), या ऑनलाइन भुगतान करें।',
    later: 'कृपया ऑनलाइन भुगतान करें, या एक घंटे बाद फिर कोशिश करें।',
  },
};

/** Whether the customer has confirmed the email, or received an order. */
async function isKnown(db: Reader, customerId: string): Promise<boolean> {
  const delivered = q.selectFrom('orders').select('id').where('customerId', '=', customerId);
  const known = q.selectFrom('customers').select('id').where('id', '=', customerId);
  const found = known.where(({ eb, or, exists }) =>
    or([eb('emailVerified', '=', 1), exists(delivered.where('status', '=', STATUSES.delivered.code))]),
  );
  return (await db.row(found)) !== undefined;
}

/**
 * Counts one more order in cash. Returns why an account that has neither confirmed its email nor received an order may have
 * no more, and sends the link that lifts it; the order stays.
 */
export async function cashRefusal(
  services: Services,
  payers: Payers & { readonly account: string },
  language: Language,
): Promise<string | undefined> {
  const { db, limits, settings } = services;
  if (await isKnown(db, payers.account)) return undefined;
  const row = settings.mail ? 'cash' : 'cashWithoutEmails';
  return ifRefused<string | undefined>(
    limits.spend([row], payers, () => undefined),
    async () => {
      if (!settings.mail) return TEXTS[language].later;
      await db.write((transaction) =>
        queueEmail(transaction, services, ACCOUNT_EMAILS.confirmation, payers.account),
      );
      return TEXTS[language].link;
    },
  );
}
