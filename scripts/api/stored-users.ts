import * as v from 'valibot';
import type { Database } from './db/database.ts';
import type { User } from './shop.ts';

const CredentialsRowSchema = v.object({ id: v.string(), passwordHash: v.string() });
const EmailRowSchema = v.object({ email: v.string() });

export const findCredentials = (
  db: Database,
  email: string,
): v.InferOutput<typeof CredentialsRowSchema> | undefined =>
  db.get(CredentialsRowSchema, 'SELECT id, password_hash AS passwordHash FROM users WHERE email = ?', email);

export const emailOf = (db: Database, userId: string): string | undefined =>
  db.get(EmailRowSchema, 'SELECT email FROM users WHERE id = ?', userId)?.email;

/** Returns false, and stores nothing, where the email is taken. */
export async function addUser(db: Database, user: User, passwordHash: string): Promise<boolean> {
  const { changes } = await db.write(() =>
    db.run(
      'INSERT INTO users VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING',
      user.id,
      user.email,
      passwordHash,
      user.firstName,
      user.lastName,
      user.createdAt,
    ),
  );
  return changes > 0;
}
