import * as v from 'valibot';
import { userOf } from '#scripts/api/customers/sessions.ts';
import { lockAccount } from '#scripts/api/customers/stored-customers.ts';
import { requireLetters } from '#scripts/api/letters/links.ts';
import { queueLetter } from '#scripts/api/letters/outbox.ts';
import { defineCall } from '#scripts/api/shop/call.ts';
import { withLimits } from '#scripts/api/shop/with-limits.ts';
import { MESSAGE_LETTERS } from './letters.ts';
import { MessageSchema } from './schema.ts';
import { storeMessage } from './stored-messages.ts';

export const sendMessageCall = defineCall({
  method: 'POST',
  path: '/messages',
  access: 'public',
  operationId: 'sendMessage',
  tag: 'Messages',
  summary: 'Write to the shop',
  description:
    'The ticket names the message, also in the letter that its sender gets. The same message sent again while it waits has the same ticket, and brings no second letter. `website` must be empty: if it has a text, the answer is the same and nothing is stored. With a valid token, which is not needed, the message belongs to the account, if it names the same email.',
  request: v.object({ body: MessageSchema }),
  status: 201,
  answer: v.object({ ticket: v.string() }),
  failures: [404, 422, 429, 503],
  authorize: requireLetters,
  async handle(context, shop, { body: { website, language = null, ...message } }) {
    const { messagesAddress, messages } = shop.limiters;
    const user = await userOf(shop, context);
    const store = () =>
      shop.db.write(async (transaction) => {
        // The answer goes to the email that was typed. The account may read it only if that is its own email.
        const isOwn = user?.email === message.email && (await lockAccount(transaction, user.id));
        const userId = isOwn ? user.id : null;
        const written = { ...message, ticket: shop.ids.ticket(), userId, language, createdAt: shop.clock() };
        const ticket = await storeMessage(transaction, written);
        if (ticket === written.ticket) await queueLetter(transaction, shop, MESSAGE_LETTERS.received, ticket);
        return ticket;
      });
    const ticket = await withLimits(
      [
        [messagesAddress, shop.clientAddress(context)],
        [messages, message.email],
      ],
      () => (website === '' ? store() : shop.ids.ticket()),
    );
    return context.json({ ticket }, 201);
  },
});
