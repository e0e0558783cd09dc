import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { EmailSchema } from '#scripts/api/customers/schema.ts';
import { endSessionsOf } from '#scripts/api/customers/sessions.ts';
import { findCredentials, findUser } from '#scripts/api/customers/stored-customers.ts';
import type { Database, Transaction } from '#scripts/api/db/database.ts';
import { openExistingDatabase } from '#scripts/api/db/open-database.ts';
import { type ChangeEntry, recordChange } from '#scripts/api/office/change-log.ts';
import { deleteAccount } from '#scripts/api/privacy/delete-account.ts';
import { personalFile } from '#scripts/api/privacy/personal-data.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { readSettings, type Settings } from '#scripts/api/shop/settings.ts';
import type { User } from '#scripts/api/shop/shop.ts';
import { systemClock } from '#scripts/program/clock.ts';
import { ExplainedError, runProgram } from '#scripts/program/explained-error.ts';
import { loadSettings } from '#scripts/settings/load.ts';

const USAGE = `npm run customers -- sign-out EMAIL     ends all sessions of a customer, for a phone that was lost
npm run customers -- data EMAIL FILE    writes everything that is kept about a customer into a new file
npm run customers -- delete EMAIL       deletes the account; orders on their way are carried out`;

interface Given {
  readonly db: Database;
  readonly settings: Settings;
  readonly user: User;
  readonly file: string | undefined;
}

const log = (transaction: Transaction, entry: ChangeEntry): Promise<void> =>
  recordChange(transaction, { id: null, who: 'npm run customers' }, systemClock(), entry);

/** Each tells what it has done. */
const COMMANDS: Readonly<Record<string, (given: Given) => Promise<string>>> = {
  'sign-out': async ({ db, user: { id, email } }) => {
    const ended = await db.write(async (transaction) => {
      const sessions = (await endSessionsOf(transaction, email)) ?? 0;
      await log(transaction, { action: 'signed out everywhere', target: ['customer', id], to: { sessions } });
      return sessions;
    });
    return `${email} is signed out: ${ended} ended.`;
  },
  data: async ({ db, user, file }) => {
    if (file === undefined) throw new ExplainedError(USAGE);
    await db.write((transaction) =>
      log(transaction, { action: 'downloaded', target: ['customer', user.id] }),
    );
    await pipeline(
      Readable.from(personalFile(db, user, true)),
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    ).catch((error: unknown) => {
      throw new ExplainedError(
        `${file} could not be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    return `${file} has everything that is kept about ${user.email}.`;
  },
  delete: async ({ db, settings, user }) => {
    await db.write(async (transaction) => {
      await deleteAccount(transaction, { settings, clock: systemClock, ids: randomIds }, user.id);
      await log(transaction, { action: 'deleted', target: ['customer', user.id] });
    });
    return `The account of ${user.email} is deleted. The address of an open order goes when the order is over.`;
  },
};

/** `npm run customers`: what an owner does for a customer. */
runProgram(async () => {
  loadSettings();
  const [name = '', email, file] = process.argv.slice(2);
  const parsed = v.safeParse(EmailSchema, email);
  const command = COMMANDS[name];
  if (!command || !parsed.success) throw new ExplainedError(USAGE);
  const settings = readSettings(process.env);
  const db = await openExistingDatabase(settings.database);
  try {
    const found = await findCredentials(db, parsed.output);
    const user = found && (await findUser(db, found.id));
    if (!user) throw new ExplainedError(`No customer has the email ${parsed.output}.`);
    console.log(await command({ db, settings, user, file }));
  } finally {
    await db.close();
  }
});
