import type * as v from 'valibot';
import { formatPaise } from '#domain/money.ts';
import { STATUSES } from '#domain/order-status.ts';
import { plural } from '#domain/text.ts';
import { ADMIN, orderPath } from '#server/admin/paths.ts';
import type { Reader } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import { defineEmail } from '#server/email/email.ts';
import { SHOWN_NUMBER } from '#server/orders/stored-orders.ts';
import { attentionOf } from '#server/payments/attention.ts';
import type { Services } from '#server/services/services.ts';
import { NotificationsSchema, sendNotifications, type Topic, topicsOf } from '#server/staff/notifications.ts';
import { findStaffRecipient } from '#server/staff/stored-staff.ts';

interface News {
  /** Without a full stop. */
  readonly title: string;
  /** What else there is to say, in sentences. */
  readonly texts?: readonly string[];
  /** The page of the admin. */
  readonly path: string;
}

const ORDER = q
  .selectFrom('orders')
  .select(['id', 'status', 'totalPaise', 'printedAt', SHOWN_NUMBER])
  .orderBy('number');

/** @param write returns nothing if there is no news any more */
const aboutOrders =
  (write: (order: RowOf<typeof ORDER>) => string | false) => async (db: Reader, ids: readonly string[]) =>
    (await db.rows(ORDER.where('id', 'in', ids))).flatMap((order): News[] => {
      const title = write(order);
      return title === false ? [] : [{ title, path: orderPath(order.id) }];
    });

type Read = (db: Reader, subjectIds: readonly string[], now: number) => Promise<News[]>;

/** What became of each subject, as it is when the email is sent. */
const NEWS: Readonly<Record<Topic, Read>> = {
  orders: aboutOrders(
    ({ shownNumber, totalPaise }) => `New order ${shownNumber}: ${formatPaise(totalPaise)}`,
  ),
  // It may have been taken back.
  cancellations: aboutOrders(
    ({ shownNumber, printedAt, status }) =>
      status === STATUSES.cancelled.code &&
      `Order ${shownNumber} was cancelled${printedAt !== null ? ', and its packing slip was printed: do not send it' : ''}`,
  ),
  returns: aboutOrders(({ shownNumber }) => `The customer of order ${shownNumber} wants to return something`),
  messages: async (_db, { length }) => [
    { title: `${plural(length, 'message')} of the contact form came to the email of the store`, path: ADMIN },
  ],
  async money(db, orderIds, now) {
    const found = await Promise.all(orderIds.map((id) => attentionOf(db, id, now)));
    return found.flatMap((attention) =>
      attention
        ? {
            title: `A payment needs attention: order ${attention.order.shownNumber}`,
            texts: attention.texts,
            path: orderPath(attention.order.id),
          }
        : [],
    );
  },
};

/** The most news of an email. */
const MAX_NEWS = 100;

const staffNotifications = defineEmail<
  v.InferOutput<typeof NotificationsSchema>,
  { readonly news: readonly News[] }
>({
  kind: 'staffNotifications',
  isToStaff: true,
  when: "What is new, to each staff member who wants it: at once, every hour or once a day, as chosen under 'Emails to you'",
  details: NotificationsSchema,
  async find(db, staffId, notifications, now) {
    const recipient = await findStaffRecipient(db, staffId);
    const found = await Promise.all(
      (recipient ? topicsOf(recipient.role) : []).map((topic) => {
        const ids = notifications.flatMap((each) => (each.topic === topic ? [each.subjectId] : []));
        return ids.length === 0 ? [] : NEWS[topic](db, ids, now);
      }),
    );
    const news = found.flat();
    // All may be resolved by now.
    return recipient && news.length > 0 ? { ...recipient, facts: { news } } : undefined;
  },
  sample: {
    news: [
      { title: 'New order FF-1042-7K3Q: ₹1,897.50', path: ADMIN },
      { title: 'Order FF-1041-9D4M was cancelled', path: ADMIN },
    ],
  },
  write(_language, { news }, { api }) {
    const [first, ...others] = news;
    const lines = news.map(
      ({ title, texts = [] }) => `• ${[title, ...texts].join('. ').replace(/\.?$/, '.')}`,
    );
    const more = lines.length - MAX_NEWS;
    const isOne = first !== undefined && others.length === 0;
    return {
      subject: isOne ? first.title : `${news.length} updates from the shop`,
      blocks: [
        ...(isOne ? (first.texts ?? [`${first.title}.`]) : lines.slice(0, MAX_NEWS)).map((text) => ({
          text,
        })),
        ...(more > 0 ? [{ text: `And ${more} more.` }] : []),
        { button: isOne ? 'Open it' : 'Open the admin', address: `${api}${isOne ? first.path : ADMIN}` },
        { text: "You choose these emails under 'Emails to you' in the admin." },
      ],
    };
  },
});

export const NOTIFICATION_EMAILS = { staffNotifications };

export const sendStaffNotifications = (services: Services): Promise<void> =>
  sendNotifications(services, staffNotifications);
