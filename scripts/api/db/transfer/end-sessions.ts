import { openDatabase } from '#scripts/api/db/open-database.ts';

const STATEMENTS = [
  'DELETE FROM sessions',
  'DELETE FROM staff_sessions',
  'DELETE FROM staff_links WHERE used_at IS NULL',
  'UPDATE staff SET password_hash = NULL, version = version + 1',
];

/**
 * Ends what a backup would bring back: sessions that have ended since, and the passwords of people who have left the staff
 * since (faults 127). An owner gets in by `npm run staff -- link`, and gives links to those who still work here.
 */
export async function endSessions(database: string): Promise<void> {
  const db = await openDatabase(database);
  try {
    await db.write(async (transaction) => {
      for (const sql of STATEMENTS) await transaction.run(sql);
    });
  } finally {
    await db.close();
  }
}
