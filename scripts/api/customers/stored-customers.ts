import * as v from 'valibot';
import type { Database, Reader, Transaction } from '#scripts/api/db/database.ts';
import type { User } from '#scripts/api/shop/shop.ts';

const CredentialsRowSchema = v.object({ id: v.string(), passwordHash: v.string() });

export type Credentials = v.InferOutput<typeof CredentialsRowSchema>;

const EmailRowSchema = v.object({ email: v.string() });

export const findCredentials = (db: Reader, email: string): Promise<Credentials | undefined> =>
  db.get(
    CredentialsRowSchema,
    'SELECT id, password_hash AS "passwordHash" FROM users WHERE email = ?',
    email,
  );

export const emailOf = async (db: Reader, userId: string): Promise<string | undefined> =>
  (await db.get(EmailRowSchema, 'SELECT email FROM users WHERE id = ?', userId))?.email;

/** Whether this is still the password. It stays so until the transaction ends. */
export const hasPassword = async (
  transaction: Transaction,
  { id, passwordHash }: Readonly<Credentials>,
): Promise<boolean> =>
  (await transaction.get(
    v.unknown(),
    'SELECT id FROM users WHERE id = ? AND password_hash = ? FOR NO KEY UPDATE',
    id,
    passwordHash,
  )) !== undefined;

/** Lets one transaction at a time place orders of a user. */
export const lockUser = async (transaction: Transaction, userId: string): Promise<void> => {
  await transaction.get(v.unknown(), 'SELECT id FROM users WHERE id = ? FOR NO KEY UPDATE', userId);
};

/** Returns false, and stores nothing, where the email is taken. */
export async function addUser(db: Database, user: User, passwordHash: string): Promise<boolean> {
  const added = await db.write((transaction) =>
    transaction.run(
      'INSERT INTO users VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING',
      user.id,
      user.email,
      passwordHash,
      user.firstName,
      user.lastName,
      user.createdAt,
    ),
  );
  return added > 0;
}
