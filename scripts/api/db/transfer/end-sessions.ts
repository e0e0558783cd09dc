import { openDatabase } from '#scripts/api/db/open-database.ts';
import { NOT_IN_BACKUPS } from './postgres-backup.ts';

/**
 * Whatever opens something once. A backup brings back what has been used or taken back since, so none of it may work after
 * a restore. A period of a second factor counts as used up to two minutes from now, so no code is accepted twice.
 */
const STATEMENTS = [
  // A copy of the database that was made without the program has them.
  ...NOT_IN_BACKUPS.map((table) => `DELETE FROM ${table}`),
  'DELETE FROM sessions',
  'DELETE FROM email_changes',
  // Among them may be a phone that was lost since.
  'DELETE FROM user_devices',
  'DELETE FROM staff_devices',
  'DELETE FROM staff_sessions',
  'DELETE FROM staff_links WHERE used_at IS NULL',
  'DELETE FROM staff_sign_in_steps',
  'DELETE FROM staff_recovery_codes',
  'UPDATE staff SET password_hash = NULL, version = version + 1',
];

const CODE_PERIOD_MS = 30_000;
const PERIODS_AHEAD = 4;

/**
 * Ends sessions, links, recovery codes and the passwords of the staff, because a backup would bring back those of people who
 * have left since. An owner gets in by `npm run staff -- link`, and gives links to those who still work here.
 * @param now ms
 */
export async function endSessions(database: string, now: number): Promise<void> {
  const db = await openDatabase(database);
  try {
    await db.write(async (transaction) => {
      for (const sql of STATEMENTS) await transaction.run(sql);
      await transaction.run(
        'UPDATE staff_second_factors SET last_period = ?',
        Math.floor(now / CODE_PERIOD_MS) + PERIODS_AHEAD,
      );
    });
  } finally {
    await db.close();
  }
}
