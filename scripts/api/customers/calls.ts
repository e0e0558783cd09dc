import * as v from 'valibot';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { defineCall } from '#scripts/api/shop/call.ts';
import { withLimits } from '#scripts/api/shop/with-limits.ts';
import { isoTime } from '#scripts/program/clock.ts';
import { AccountSchema, RegisteredSchema, RegistrationSchema, SignInSchema, TokenSchema } from './schema.ts';
import { startSession } from './sessions.ts';
import { addUser, findCredentials } from './stored-customers.ts';

/** Faults 39, 40. */
export const signIn = defineCall({
  method: 'POST',
  path: '/users/authorize',
  access: 'public',
  operationId: 'signIn',
  tag: 'Accounts',
  summary: 'Sign in',
  description: 'The token is sent as Authorization: Bearer from then on, for 30 days.',
  request: v.object({ body: SignInSchema }),
  status: 200,
  answer: TokenSchema,
  failures: [401, 422, 429, 503],
  async handle(context, shop, { body: { email, password } }) {
    const address = shop.clientAddress(context);
    const attempt = async (): Promise<string | undefined> => {
      const user = await findCredentials(shop.db, email);
      return (await shop.passwords.matches(user?.passwordHash, password)) ? user?.id : undefined;
    };
    const userId = await withLimits(
      [
        [shop.limiters.signInAddress, address],
        [shop.limiters.signIn, `${address} ${email}`],
      ],
      attempt,
      (outcome) => 'value' in outcome && outcome.value === undefined,
    );
    if (userId === undefined) throw new Refusal(401, 'Invalid email or password.');
    return context.json({ token: await startSession(shop, userId) });
  },
});

/** Faults 41: an email that is taken is refused in the words of any other failure (spec 8). */
export const register = defineCall({
  method: 'POST',
  path: '/users/register',
  access: 'public',
  operationId: 'register',
  tag: 'Accounts',
  summary: 'Open an account',
  description: 'Does not sign in.',
  request: v.object({ body: RegistrationSchema }),
  status: 201,
  answer: RegisteredSchema,
  failures: [422, 429, 503],
  async handle(context, shop, { body: { password, ...person } }) {
    const attempt = async (): Promise<void> => {
      const passwordHash = await shop.passwords.hash(password);
      const user = { ...person, id: shop.ids.user(), createdAt: shop.clock() };
      if (!(await addUser(shop.db, user, passwordHash))) {
        throw new Refusal(422, 'Failed to register. Please try again.');
      }
    };
    const limits = [[shop.limiters.register, shop.clientAddress(context)]] as const;
    await withLimits(limits, attempt, (outcome) => 'value' in outcome);
    const { email, firstName, lastName } = person;
    return context.json({ data: { email, firstName, lastName } }, 201);
  },
});

export const getAccount = defineCall({
  method: 'GET',
  path: '/accountInfo',
  access: 'bearer',
  operationId: 'getAccount',
  tag: 'Accounts',
  summary: 'Tell who is signed in',
  description: 'The name, the email and the time of registration of the token’s user.',
  request: v.object({}),
  status: 200,
  answer: AccountSchema,
  handle(context) {
    const { firstName, lastName, email, createdAt } = context.get('user');
    return context.json({ data: { firstName, lastName, email, createdAt: isoTime(createdAt) } });
  },
});
