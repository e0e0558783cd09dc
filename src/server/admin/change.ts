import { createHash, randomBytes } from 'node:crypto';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as v from 'valibot';
import type { Transaction } from '#server/db/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { type ChangeEntry, recordChange } from './change-log.ts';
import { type AdminContext, isSecure, staffOf } from './page.ts';
import { ADMIN } from './paths.ts';

/** The name of the field that holds a form's number. */
export const FORM_KEY = 'form';

/** What follows a change that was made: another page, and the message shown there. */
export interface Done {
  readonly to: string;
  readonly message: string;
  /** Answers the first time, after the transaction: with a secret that must not be stored, or with what comes after it. */
  readonly show?: () => Response | Promise<Response>;
}

/** Thrown by the work of `change` to undo all of it, and to answer with this page instead. */
export class ChangeAborted extends Error {
  readonly answer: () => Response | Promise<Response>;

  constructor(answer: () => Response | Promise<Response>) {
    super('The change was not made.');
    this.answer = answer;
  }
}

export type RecordChange = (entry: ChangeEntry) => Promise<void>;

const DoneRowSchema = v.object({ to: v.string(), message: v.string(), hash: v.string() });

const MESSAGE = 'admin-message';

/** In seconds. */
const MESSAGE_LIFE = 60;

function leaveMessage(context: AdminContext, services: Services, message: string): void {
  const secure = isSecure(context, services);
  setCookie(context, MESSAGE, message, {
    path: ADMIN,
    httpOnly: true,
    sameSite: 'Strict',
    secure,
    maxAge: MESSAGE_LIFE,
  });
}

/** The message of the change before, for the first page after it. */
export function takeMessage(context: AdminContext): string | undefined {
  const message = getCookie(context, MESSAGE);
  if (message !== undefined) deleteCookie(context, MESSAGE, { path: ADMIN });
  return message;
}

/** Sends the browser on, and leaves a message for the next page. */
export function redirectWithMessage(
  context: AdminContext,
  services: Services,
  { to, message }: Done,
): Response {
  leaveMessage(context, services, message);
  return context.redirect(to, 303);
}

function numberOf(context: AdminContext): string {
  const number = context.get('form').get(FORM_KEY);
  if (typeof number !== 'string' || !/^[\w-]{20,100}$/.test(number)) {
    throw new Refusal(400, 'This form has no number. Open the page again.');
  }
  return number;
}

/** The fields that hold passwords. */
const PASSWORD_FIELDS = ['password', 'current'];

/**
 * A hash of where a form was sent to, and of all that it holds. A form with a password gets random bytes as well: from a
 * fast hash of a password, whoever steals the database would find it. If such a form comes again, it counts as another one.
 */
async function formHash(context: AdminContext): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(context.req.path));
  const form = context.get('form');
  if (PASSWORD_FIELDS.some((name) => form.has(name))) hash.update(randomBytes(32));
  for (const [name, value] of form) {
    const isText = typeof value === 'string';
    hash.update(JSON.stringify(isText ? [name, value] : [name, value.name, value.size]));
    if (!isText) hash.update(new Uint8Array(await value.arrayBuffer()));
  }
  return hash.digest('base64url');
}

const otherContent = (): Refusal =>
  new Refusal(
    409,
    'This form was sent before with other content, and what it said then was done. What you typed now was not saved. Open the page again, and type it there.',
  );

/**
 * Makes the change that a form asks for, once: `work`, its lines of the log and the form's number are stored in one
 * transaction. If the form comes again, nothing is done, and the browser is sent to the same place, unless it
 * has other content, which is told. `work` must await nothing but the transaction and the log.
 */
export async function change(
  context: AdminContext,
  services: Services,
  work: (transaction: Transaction, log: RecordChange) => Promise<Done>,
): Promise<Response> {
  const number = numberOf(context);
  const hash = await formHash(context);
  const { id, email } = staffOf(context);
  const log = (transaction: Transaction) => (entry: ChangeEntry) =>
    recordChange(transaction, { id, who: email }, services.clock(), entry);
  try {
    const done = await services.db.write(async (transaction): Promise<Done> => {
      const isFirst = await transaction.run(
        `INSERT INTO admin_forms (number, staff_id, location, message, used_at, form_hash)
         VALUES (?, ?, '', '', ?, ?) ON CONFLICT (staff_id, number) DO NOTHING`,
        number,
        id,
        services.clock(),
        hash,
      );
      if (isFirst === 0) {
        const before = await transaction.get(
          DoneRowSchema,
          'SELECT location AS "to", message, form_hash AS hash FROM admin_forms WHERE staff_id = ? AND number = ?',
          id,
          number,
        );
        if (before && before.hash !== hash) throw otherContent();
        return before ?? { to: ADMIN, message: '' };
      }
      const made = await work(transaction, log(transaction));
      await transaction.run(
        'UPDATE admin_forms SET location = ?, message = ? WHERE staff_id = ? AND number = ?',
        made.to,
        made.message,
        id,
        number,
      );
      return made;
    });
    return done.show ? await done.show() : redirectWithMessage(context, services, done);
  } catch (error) {
    if (error instanceof ChangeAborted) return error.answer();
    throw error;
  }
}
