import * as v from 'valibot';
import { WRONG_CREDENTIALS } from '#domain/refusals.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { defineCall } from '#scripts/api/shop/call.ts';
import { withLimits } from '#scripts/api/shop/limits.ts';
import { isoTime } from '#scripts/program/clock.ts';
import { checkPassword } from './check-password.ts';
import { findEmailChange } from './email-change.ts';
import { AccountSchema, RegisteredSchema, RegistrationSchema, SignInSchema, TokenSchema } from './schema.ts';
import { endSession, startSession } from './sessions.ts';
import { addUser, findCredentials } from './stored-customers.ts';

export const signInCall = defineCall({
  method: 'POST',
  path: '/users/authorize',
  access: 'public',
  operationId: 'signIn',
  tag: 'Accounts',
  summary: 'Sign in',
  description:
    'The token is sent as Authorization: Bearer from then on, for 30 days. `device` is sent with the next sign-in on this device, so that strangers who guess cannot lock it out.',
  request: v.object({ body: SignInSchema }),
  status: 200,
  answer: TokenSchema,
  failures: [401, 422, 429, 503],
  async handle(context, shop, { body }) {
    const credentials = { device: undefined, ...body, address: shop.clientAddress(context) };
    const found = await findCredentials(shop.db, body.email);
    const user = await checkPassword(shop, 'customers', credentials, found);
    const session = user && (await startSession(shop, user, body.device));
    if (!session) throw new Refusal(401, WRONG_CREDENTIALS);
    return context.json(session);
  },
});

/** An email that is taken is refused in the words of any other failure, and counted like a success. */
export const registerCall = defineCall({
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
  async handle(context, shop, { body: { password, language, ...person } }) {
    const address = shop.clientAddress(context);
    const attempt = async (): Promise<boolean> => {
      const passwordHash = await shop.passwords.customers.hash(password, { address, email: person.email });
      return addUser(
        shop.db,
        { ...person, id: shop.ids.user(), createdAt: shop.clock() },
        passwordHash,
        language,
      );
    };
    const isNew = await withLimits([[shop.limiters.register, address]], attempt);
    if (!isNew) throw new Refusal(422, 'Failed to register. Please try again.');
    const { email, firstName, lastName } = person;
    return context.json({ data: { email, firstName, lastName } }, 201);
  },
});

export const signOutCall = defineCall({
  method: 'POST',
  path: '/users/logout',
  access: 'public',
  operationId: 'signOut',
  tag: 'Accounts',
  summary: 'Sign out',
  description:
    'Ends the session of the token in Authorization: Bearer. A token that is unknown or missing gets the same answer.',
  request: v.object({}),
  status: 200,
  answer: v.object({}),
  failures: [503],
  async handle(context, shop) {
    await endSession(shop, context);
    return context.json({});
  },
});

export const getAccountCall = defineCall({
  method: 'GET',
  path: '/accountInfo',
  access: 'bearer',
  operationId: 'getAccount',
  tag: 'Accounts',
  summary: 'Tell who is signed in',
  description:
    'The name, the email and the time of registration of the token’s user, and the email that still waits to be confirmed.',
  request: v.object({}),
  status: 200,
  answer: AccountSchema,
  async handle(context, shop) {
    const { id, firstName, lastName, email, createdAt } = context.get('user');
    const change = await findEmailChange(shop.db, id, shop.clock());
    const newEmail = change && { newEmail: change.email };
    return context.json({ data: { firstName, lastName, email, createdAt: isoTime(createdAt), ...newEmail } });
  },
});
