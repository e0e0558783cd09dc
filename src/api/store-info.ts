import type { StoreInfo } from '#domain/store-info.ts';
import { call } from './client.ts';
import type { Result } from './failure.ts';
import { WireStoreInfo } from './schema/store-info.ts';

/** GET /storeInfo (spec 7). */
export const fetchStoreInfo = (): Promise<Result<StoreInfo>> => call(WireStoreInfo, 'storeInfo');
