import * as v from 'valibot';
import { OFFER_NAMES } from '#domain/offers.ts';
import { listOf, unwrap } from './lenient.ts';

const LISTED_LIMIT = 100;

/** What GET /storeInfo lists in `offers`, without the names that this shop does not know. Only the build reads it. */
export const OffersReader = v.pipe(
  v.unknown(),
  v.transform(unwrap),
  v.object({ offers: listOf(v.picklist(OFFER_NAMES), LISTED_LIMIT) }),
  v.transform(({ offers }) => offers),
);
