import { createHash, randomBytes } from 'node:crypto';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { type ChangeEntry, type RecordChange, recordChange } from './change-log.ts';
import { type AdminContext, isSecure, staffOf } from './page.ts';
import { ADMIN } from './paths.ts';

/** The hidden field with the form's idempotency key: a form that is sent twice changes something once. */
export const FORM_KEY = 'form';

export interface Done {
  readonly to: string;
  readonly message: string;
  /** Answers the first request only, after the transaction. For secrets that must not be stored, and calls to other servers. */
  readonly show?: () => Response | Promise<Response>;
}

/** Thrown inside `change` to roll back the transaction and answer with another page. */
export class ChangeAborted extends Error {
  readonly answer: () => Response | Promise<Response>;

  constructor(answer: () => Response | Promise<Response>) {
    super('The change was not made.');
    this.answer = answer;
  }
}

/** Logs a download, before its first byte is sent. */
export function logDownload(
  context: AdminContext,
  { db, clock }: Services,
  entry: Omit<ChangeEntry, 'action'>,
): Promise<void> {
  const { id, email: who } = staffOf(context);
  return db.write((transaction) =>
    recordChange(transaction, { id, who }, clock(), { action: 'downloaded', ...entry }),
  );
}

const MESSAGE = 'admin-message';

/** In seconds. */
const MESSAGE_LIFE = 60;

/** Returns the message of the last change, once. */
export function takeMessage(context: AdminContext): string | undefined {
  const message = getCookie(context, MESSAGE);
  if (message !== undefined) deleteCookie(context, MESSAGE, { path: ADMIN });
  return message;
}

export function redirectWithMessage(
  context: AdminContext,
  services: Services,
  { to, message }: Done,
): Response {
  const secure = isSecure(context, services);
  const options = { path: ADMIN, httpOnly: true, sameSite: 'Strict', secure, maxAge: MESSAGE_LIFE } as const;
  setCookie(context, MESSAGE, message, options);
  return context.redirect(to, 303);
}

function formKeyOf(context: AdminContext): string {
  const key = context.get('form').get(FORM_KEY);
  if (typeof key !== 'string' || !/^[\w-]{20,100}$/.test(key)) {
    throw new Refusal(400, 'This form has no key. Open the page again.');
  }
  return key;
}

/** The field for the staff member's current password, which is checked before the change. */
export const CURRENT_PASSWORD = 'current';

export const NEW_PASSWORD = 'password';

/**
 * Returns a hash of the form's address and content. Forms with a new password also get random bytes, because a fast
 * hash of a password can be cracked. So such a form, sent again, counts as a different one.
 */
async function formHash(context: AdminContext): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(context.req.path));
  const form = context.get('form');
  if (form.has(NEW_PASSWORD)) hash.update(randomBytes(32));
  for (const [name, value] of form) {
    if (name === CURRENT_PASSWORD) continue;
    const isText = typeof value === 'string';
    hash.update(JSON.stringify(isText ? [name, value] : [name, value.name, value.size]));
    if (!isText) hash.update(new Uint8Array(await value.arrayBuffer()));
  }
  return hash.digest('base64url');
}

const OTHER_CONTENT =
  'This form was already sent with other content, and that was saved. What you typed now was not saved. Open the page again, and type it there.';

/**
 * Makes the change of a form exactly once: `work`, its log entries and the form's key are stored in one transaction.
 * The same form sent again changes nothing and is redirected to the same page.
 * `work` may await only the transaction and the log.
 * @throws Refusal 409 for the same form with other content
 */
export async function change(
  context: AdminContext,
  services: Services,
  work: (transaction: Transaction, log: RecordChange) => Promise<Done>,
): Promise<Response> {
  const key = formKeyOf(context);
  const hash = await formHash(context);
  const { id, email } = staffOf(context);
  try {
    const done = await services.db.write(async (transaction): Promise<Done> => {
      const form = { formKey: key, staffId: id, location: '', message: '' };
      const insert = q.insertInto('adminForms').values({ ...form, usedAt: services.clock(), formHash: hash });
      const isFirst = await transaction.run(
        insert.onConflict((row) => row.columns(['staffId', 'formKey']).doNothing()),
      );
      if (isFirst === 0) {
        const sent = q.selectFrom('adminForms').select(['location as to', 'message', 'formHash as hash']);
        const before = await transaction.row(sent.where('staffId', '=', id).where('formKey', '=', key));
        if (before && before.hash !== hash) throw new Refusal(409, OTHER_CONTENT);
        return before ?? { to: ADMIN, message: '' };
      }
      const log = (entry: ChangeEntry) =>
        recordChange(transaction, { id, who: email }, services.clock(), entry);
      const made = await work(transaction, log);
      const update = q.updateTable('adminForms').set({ location: made.to, message: made.message });
      await transaction.run(update.where('staffId', '=', id).where('formKey', '=', key));
      return made;
    });
    return done.show ? await done.show() : redirectWithMessage(context, services, done);
  } catch (error) {
    if (error instanceof ChangeAborted) return error.answer();
    throw error;
  }
}
