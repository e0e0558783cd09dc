import type { Account } from '#domain/account.ts';
import { ADDRESSES, apiBase } from './addresses.ts';
import { type Call, call } from './client.ts';
import { CALL_OPTIONS } from './early-requests.ts';
import type { Result } from './failure.ts';
import { AccountSchema } from './schema/account.ts';

/** GET /accountInfo. */
export const fetchAccount = (options: Pick<Call, 'signal'> = {}): Promise<Result<Account>> =>
  call(AccountSchema, ADDRESSES.account, options);

/** POST /users/logout. Waits for no other code, and completes even if the visitor leaves the page. */
export const endSession = (token: string): Promise<Response> =>
  fetch(`${apiBase()}/users/logout`, {
    ...CALL_OPTIONS,
    method: 'POST',
    keepalive: true,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{}',
  });
