import type { Account } from '#domain/account.ts';
import { ADDRESSES } from './addresses.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { AccountReader } from './schema/account.ts';

/** GET /accountInfo. */
export const fetchAccount = (options: Pick<Call, 'signal'> = {}): Promise<Result<Account>> =>
  call(AccountReader, ADDRESSES.account, options);
