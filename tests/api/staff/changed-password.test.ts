import { expect, test } from 'vitest';
import type { Database } from '#scripts/api/db/database.ts';
import { setPassword } from '#scripts/api/staff/stored-staff.ts';
import { PASSWORD, testApi } from '#tests/api/support/api.ts';
import { openEmptyDatabase } from '#tests/api/support/databases.ts';
import { OFFICE_PASSWORD, officeApi } from '#tests/api/support/office.ts';
import { countRow } from '#tests/api/support/rows.ts';

const SIGN_IN = '/office/sign-in';
const OWNER = { email: 'owner@example.com', password: OFFICE_PASSWORD };

/** A database in which something else is committed just before the next transaction begins. */
async function interruptedDatabase() {
  const opened = await openEmptyDatabase();
  let meanwhile: (() => Promise<unknown>) | undefined;
  const db: Database = {
    ...opened,
    async write(work) {
      const first = meanwhile;
      meanwhile = undefined;
      await first?.();
      return opened.write(work);
    },
  };
  return {
    db,
    beforeNextWrite: (work: () => Promise<unknown>): void => {
      meanwhile = work;
    },
    count: async (table: string) =>
      (await opened.get(countRow, `SELECT COUNT(*) AS count FROM ${table}`))?.count,
    opened,
  };
}

test('[fault 123] no session of the staff begins with a password that is changed in the same moment', async () => {
  const { db, opened, beforeNextWrite, count } = await interruptedDatabase();
  const { staff, browser } = await officeApi({ db });
  const owner = await staff('owner');
  beforeNextWrite(() => opened.write((transaction) => setPassword(transaction, owner.id, 'another hash')));
  const answer = await browser().submit(SIGN_IN, SIGN_IN, OWNER);
  expect([answer.status, await count('staff_sessions')]).toEqual([401, 0]);
});

test('[fault 123] an old password that is changed in the same moment cannot be changed again', async () => {
  const { db, opened, beforeNextWrite, count } = await interruptedDatabase();
  const { staff } = await officeApi({ db });
  const owner = await staff('owner');
  beforeNextWrite(() => opened.write((transaction) => setPassword(transaction, owner.id, 'another hash')));
  const answer = await owner.submit('/office/password', '/office/password', {
    current: OFFICE_PASSWORD,
    password: 'papayas after monsoon',
  });
  expect([answer.status, await count('staff_sessions')]).toEqual([422, 0]);
});

test('[fault 123] no session of a customer begins with a password that is changed in the same moment', async () => {
  const { db, opened, beforeNextWrite, count } = await interruptedDatabase();
  const { ask } = await testApi({ db });
  const person = { email: 'asha@example.com', password: PASSWORD };
  await ask('/users/register', { json: { ...person, firstName: 'Asha', lastName: 'Rao' } });
  beforeNextWrite(() =>
    opened.write((transaction) => transaction.run("UPDATE users SET password_hash = 'another hash'")),
  );
  const answer = await ask('/users/authorize', { json: person });
  expect([answer.status, await count('sessions')]).toEqual([401, 0]);
});
