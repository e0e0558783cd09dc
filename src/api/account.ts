import type { Account } from '#domain/account.ts';
import { ADDRESSES } from './addresses.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { AccountSchema } from './schema/account.ts';

/** GET /accountInfo. */
export const fetchAccount = (options: Pick<Call, 'signal'> = {}): Promise<Result<Account>> =>
  call(AccountSchema, ADDRESSES.account, options);
