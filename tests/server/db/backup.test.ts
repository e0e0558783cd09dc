import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { URI } from 'otpauth';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCOUNT_EMAILS, RESET } from '#server/customers/emails.ts';
import type { Reader } from '#server/db/database.ts';
import { openDatabase } from '#server/db/open-database.ts';
import { makeToken } from '#server/db/tokens.ts';
import { backUp, endSessions, restore } from '#server/db/transfer/backup.ts';
import { restoredProblem } from '#server/db/transfer/order-numbers.ts';
import { makeLink } from '#server/email/links.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import { isPostgres, readSettings } from '#server/settings/settings.ts';
import { consumeCode, newSecret, otpauthAddress, switchOn } from '#server/staff/second-factor.ts';
import { storeSession } from '#server/staff/session.ts';
import { findStaffMember, PASSWORD_LINK } from '#server/staff/stored-staff.ts';
import { temporaryFolder } from '#tests/publish/support/temporary-folder.ts';
import { MANGO } from '#tests/server/support/api.ts';
import { newDatabase } from '#tests/server/support/databases.ts';
import { countRows, runSql } from '#tests/server/support/rows.ts';
import { openShop, runCommand } from '#tests/server/support/running-api.ts';
import { findPostgres } from '#tests/support/postgres-cluster.ts';

const codeOf = (secret: string): string => URI.parse(otpauthAddress(secret, 'x@example.com')).generate();

const command = (database: string, ...args: string[]) => runCommand('backup', database, ...args);

/** A shop in its own database, another database without tables, and a path for the backup. */
async function shopToBackUp() {
  const folder = temporaryFolder();
  const database = await newDatabase(folder, 'shop');
  const elsewhere = await newDatabase(folder, 'elsewhere');
  return { database, elsewhere, file: join(folder, 'backup'), ...(await openShop(database)) };
}

/** Tables of sessions, and of codes that work once. */
const onceOnly = ['email_changes', 'devices', 'tokens', 'staff_recovery_codes'];

/** How many rows each table has. */
const countsOf = (db: Reader, tables: readonly string[]) =>
  Promise.all(tables.map((table) => countRows(db, table)));

// Debian has PostgreSQL's newest programs in a folder of their own.
beforeEach(() => void vi.stubEnv('PATH', `${process.env.PATH}:${findPostgres() ?? ''}`));

describe('npm run backup', () => {
  it('a backup under load restores every earlier order completely, without gaps', async () => {
    const { database, elsewhere, file, ...shop } = await shopToBackUp();
    const shopper = await shop.newSignedIn();
    const placed: string[] = [];
    let isSelling = true;
    const selling = Array.from({ length: 4 }, async () => {
      while (isSelling) placed.push((await shop.order(shopper, { quantities: { [MANGO]: 2 } })).id);
    });
    await expect.poll(() => placed.length).toBeGreaterThan(50);
    const before = [...placed];
    await command(database, file);
    const meanwhile = placed.length - before.length;
    isSelling = false;
    await Promise.all(selling);
    const all = (await shop.orders(shopper)).map(({ id }) => id);
    await shop.close();
    expect(meanwhile).toBeGreaterThan(0);

    const { stdout } = await command(elsewhere, '--restore', file);
    expect(stdout).toContain('npm run staff -- link EMAIL');
    const [, next = ''] = /New orders are numbered from (\d+)\./.exec(stdout) ?? [];
    expect(Number(next)).toBeGreaterThan(2_000 + placed.length);
    const again = await openShop(elsewhere);
    expect(await restoredProblem(again.db, Date.now())).toContain(
      `may be missing. New orders are numbered from ${next}.`,
    );
    if (!isPostgres(elsewhere)) expect(statSync(elsewhere).mode & 0o077).toBe(0);
    await expect(again.orders(shopper)).rejects.toThrow();
    const known = await again.signIn(shopper);
    const restored = await again.orders(known);
    expect((await again.order(known, { quantities: { [MANGO]: 2 } })).number).toContain(`-${next}-`);
    const ids = restored.map(({ id }) => id);
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
    // Lists begin with the newest order. Only the newest may be missing.
    expect(ids).toEqual(all.slice(all.length - ids.length));
    expect(restored.filter(({ items }) => items[0]?.quantity !== 2)).toEqual([]);
  });

  it('writes a file that its owner alone can read, and refuses to overwrite a file or a database', async () => {
    const { database, file, close } = await shopToBackUp();
    await close();
    await backUp(database, file, Date.now());
    expect(statSync(file).mode & 0o077).toBe(0);
    await expect(backUp(database, file, Date.now())).rejects.toThrow(
      `There is already a file ${file}. Name a new one.`,
    );
    await expect(restore(database, file, Date.now())).rejects.toThrow(
      /^(The database is not empty|There is already a file .*)\. Restore into a new one\.$/,
    );
  });

  it('ends all sessions, and the passwords of the staff', async () => {
    const { database, elsewhere, file, db, newSignedIn, close } = await shopToBackUp();
    await newSignedIn();
    const used: string[] = [];
    await db.write(async (transaction) => {
      await runSql(
        transaction,
        `INSERT INTO staff (id, email, name, role, password_hash, created_at)
         VALUES ('left-since', 'x@example.com', 'X', 'owner', 'a hash', 0)`,
      );
      await makeToken(transaction, Date.now(), PASSWORD_LINK, 'left-since');
      await storeSession(transaction, { clock: Date.now }, 'left-since', undefined);
      const secret = newSecret();
      const [code = ''] = await switchOn(transaction, 'left-since', secret, 0);
      used.push(code, codeOf(secret));
      await runSql(
        transaction,
        `INSERT INTO email_changes (customer_id, email, old_confirmed, new_confirmed, expires_at)
         SELECT id, 'new@example.com', 1, 0, ? FROM customers`,
        Number.MAX_SAFE_INTEGER,
      );
    });
    expect(await countsOf(db, onceOnly)).not.toContain(0);
    await close();
    await backUp(database, file, Date.now());
    await restore(elsewhere, file, Date.now());
    const { db: restored } = await openShop(elsewhere);
    expect(await countsOf(restored, onceOnly)).toEqual(onceOnly.map(() => 0));
    for (const code of used) {
      const taken = restored.write((transaction) => consumeCode(transaction, 'left-since', code, Date.now()));
      expect(await taken, 'a code that may have been used since').toBeUndefined();
    }
    expect(await findStaffMember(restored, 'left-since')).toMatchObject({ passwordHash: null });
    expect(await countRows(restored, 'customers')).toBe(1);
  });

  it('contains neither queued emails nor the links of emails', async () => {
    const { database, elsewhere, file, db, newSignedIn, close } = await shopToBackUp();
    await newSignedIn();
    const settings = readSettings({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'orders@shop.example' });
    const post = { settings, clock: Date.now };
    const recipient = { address: 'waits@example.com', name: 'Asha', language: 'en' } as const;
    await db.write(async (transaction) => {
      await queueEmail(transaction, post, ACCOUNT_EMAILS.deleted, 'some-id', recipient);
      await makeLink(transaction, Date.now(), 'https://shop.example', RESET, 'opens@example.com');
    });
    await backUp(database, file, Date.now());
    const tables = ['emails', 'tokens', 'customers'];
    expect(await countsOf(db, tables)).toEqual([1, 2, 1]);
    await close();
    const bytes = readFileSync(file, 'latin1');
    expect(['waits@example.com', 'opens@example.com'].filter((word) => bytes.includes(word))).toEqual([]);

    await restore(elsewhere, file, Date.now());
    expect(await countsOf((await openShop(elsewhere)).db, tables)).toEqual([0, 0, 1]);

    // For a copy that another program made, such as pg_dump.
    await endSessions(database, Date.now());
    const copied = await openDatabase(database);
    expect(await countsOf(copied, tables)).toEqual([0, 0, 1]);
    await copied.close();
  });

  it('restores nothing from a file that is no backup', async () => {
    const folder = temporaryFolder();
    const database = await newDatabase(folder, 'shop');
    const file = join(folder, 'backup');
    writeFileSync(file, 'no backup');
    await expect(restore(database, file, Date.now())).rejects.toThrow(ExplainedError);
    await expect(restore(database, join(folder, 'none'), Date.now())).rejects.toThrow(
      `There is no file ${join(folder, 'none')}.`,
    );
    expect(['shop.sqlite', 'shop.sqlite.part'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
    await (await openShop(database)).close();
  });
});
