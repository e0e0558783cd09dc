import * as v from 'valibot';
import { EmailSchema } from '#scripts/api/customers/schema.ts';
import { endSessionsOf } from '#scripts/api/customers/sessions.ts';
import { openExistingDatabase } from '#scripts/api/db/open-database.ts';
import { recordChange } from '#scripts/api/office/change-log.ts';
import { readSettings } from '#scripts/api/shop/settings.ts';
import { systemClock } from '#scripts/program/clock.ts';
import { ExplainedError, runProgram } from '#scripts/program/explained-error.ts';
import { loadSettings } from '#scripts/settings/load.ts';

const USAGE = `npm run customers -- sign-out EMAIL     ends all sessions of a customer, for a phone that was lost`;

/** `npm run customers`: what an owner does for a customer who has lost a phone. */
runProgram(async () => {
  loadSettings();
  const [name, email] = process.argv.slice(2);
  const parsed = v.safeParse(EmailSchema, email);
  if (name !== 'sign-out' || !parsed.success) throw new ExplainedError(USAGE);
  const { database } = readSettings(process.env);
  const db = await openExistingDatabase(database);
  try {
    const ended = await db.write(async (transaction) => {
      const sessions = await endSessionsOf(transaction, parsed.output);
      if (sessions === undefined) throw new ExplainedError(`No customer has the email ${parsed.output}.`);
      await recordChange(transaction, { id: null, who: 'npm run customers' }, systemClock(), {
        action: 'signed out everywhere',
        target: ['customer', parsed.output],
        to: { sessions },
      });
      return sessions;
    });
    console.log(`${parsed.output} is signed out: ${ended} ended.`);
  } finally {
    await db.close();
  }
});
