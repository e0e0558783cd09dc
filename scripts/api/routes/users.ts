import type { Context } from 'hono';
import * as v from 'valibot';
import { isoTime } from '#scripts/api/clock.ts';
import { parsedBody } from '#scripts/api/http/body.ts';
import { limited } from '#scripts/api/http/limited.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { RegistrationSchema, SignInSchema } from '#scripts/api/schema/users.ts';
import { startSession } from '#scripts/api/sessions.ts';
import type { Env, Shop } from '#scripts/api/shop.ts';

const CredentialsRowSchema = v.object({ id: v.string(), hash: v.string() });

/** POST /users/authorize (spec 7; faults 39, 40) */
export async function signIn(context: Context<Env>, shop: Shop): Promise<Response> {
  const { email, password } = await parsedBody(context, SignInSchema);
  const address = shop.clientAddress(context);
  const attempt = async (): Promise<string | undefined> => {
    const user = shop.db.get(
      CredentialsRowSchema,
      'SELECT id, password_hash AS hash FROM users WHERE email = ?',
      email,
    );
    return (await shop.passwords.matches(user?.hash, password)) ? user?.id : undefined;
  };
  const userId = await limited(
    [
      [shop.limiters.signInAddress, address],
      [shop.limiters.signIn, `${address} ${email}`],
    ],
    attempt,
    (outcome) => 'value' in outcome && outcome.value === undefined,
  );
  if (userId === undefined) throw new Refusal(401, 'Invalid email or password.');
  return context.json({ token: await startSession(shop, userId) });
}

/** The same for every reason that is not the caller's to repair (faults 41; spec 8). */
const registrationRefused = (): Refusal => new Refusal(422, 'Failed to register. Please try again.');

/** POST /users/register (spec 7; faults 41) */
export async function register(context: Context<Env>, shop: Shop): Promise<Response> {
  const { email, password, firstName, lastName } = await parsedBody(context, RegistrationSchema);
  const address = shop.clientAddress(context);
  const attempt = async (): Promise<void> => {
    const hash = await shop.passwords.hash(password);
    const { changes } = await shop.db.write(() =>
      shop.db.run(
        'INSERT INTO users VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING',
        shop.ids.user(),
        email,
        hash,
        firstName,
        lastName,
        shop.clock(),
      ),
    );
    if (changes === 0) throw registrationRefused();
  };
  await limited([[shop.limiters.register, address]], attempt, (outcome) => 'value' in outcome);
  return context.json({ data: { email, firstName, lastName } }, 201);
}

/** GET /accountInfo (spec 7) */
export function showAccount(context: Context<Env>): Response {
  const { firstName, lastName, email, createdAt } = context.get('user');
  return context.json({ data: { firstName, lastName, email, createdAt: isoTime(createdAt) } });
}
