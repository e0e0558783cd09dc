import ky, { isHTTPError } from 'ky';
import * as v from 'valibot';
import { storeInfoRequest } from '#api/requests.ts';
import { OffersReader } from '#api/schema/offers.ts';
import { unreadable } from '#catalogue/unreadable.ts';
import { chosenOffers, type OfferName } from '#domain/offers.ts';
import { apiBaseOf } from '#scripts/program/api-base.ts';

/** For each try, in ms. Together they end within the minute in which a build must fail (faults 1). */
const TIMEOUT = 10_000;

/**
 * Reads which offers the shop is built with (resolutions 43).
 * @param retries how often a request without an answer is sent again
 * @throws Error in words for a person
 */
export async function readOffers(
  env: Readonly<Record<string, string | undefined>>,
  retries: number,
): Promise<OfferName[]> {
  const address = `${apiBaseOf(env)}/${storeInfoRequest().path}`;
  const body = await ky
    .get(address, { timeout: TIMEOUT, retry: { limit: retries, retryOnTimeout: true, backoffLimit: 1_000 } })
    .json()
    .catch((error: unknown) => {
      if (error instanceof SyntaxError) return undefined;
      throw unreadable(
        address,
        isHTTPError(error) ? { kind: 'refused', status: error.response.status } : { kind: 'no-answer' },
      );
    });
  const listed = v.safeParse(OffersReader, body);
  if (!listed.success) throw unreadable(address, { kind: 'unreadable', status: 200 });
  return chosenOffers(listed.output, env);
}
