import * as v from 'valibot';
import { CAPABILITY_NAMES } from '#domain/capabilities.ts';
import { listOf, unwrapped } from './lenient.ts';

const LISTED_LIMIT = 100;

/** `capabilities` of GET /storeInfo, without unknown names. Only the build reads it. */
export const CapabilitiesSchema = v.pipe(
  unwrapped(v.object({ capabilities: listOf(v.picklist(CAPABILITY_NAMES), LISTED_LIMIT) })),
  v.transform(({ capabilities }) => capabilities),
);
