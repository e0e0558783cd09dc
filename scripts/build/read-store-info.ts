import ky, { isHTTPError } from 'ky';
import * as v from 'valibot';
import { storeInfoRequest } from '#api/requests.ts';
import { CapabilitiesSchema } from '#api/schema/capabilities.ts';
import { unreadable } from '#catalogue/unreadable.ts';
import { type CapabilityName, chosenCapabilities } from '#domain/capabilities.ts';
import type { Environment } from '#server/settings/parse.ts';
import { apiBaseOf } from '#server/settings/settings.ts';

/** Per attempt, in ms. All attempts together must end within a minute. */
const TIMEOUT = 10_000;

/** Reads GET /storeInfo. @param retries of a request without an answer @throws Error with a message for the terminal */
export async function readStoreInfo<Schema extends v.GenericSchema<unknown, unknown>>(
  schema: Schema,
  env: Environment,
  retries: number,
): Promise<v.InferOutput<Schema>> {
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
  const read = v.safeParse(schema, body);
  if (!read.success) throw unreadable(address, { kind: 'unreadable', status: 200 });
  return read.output;
}

/** Reads the capabilities that the shop is built with. @throws Error with a message for the terminal */
export const readCapabilities = async (env: Environment, retries: number): Promise<CapabilityName[]> =>
  chosenCapabilities(await readStoreInfo(CapabilitiesSchema, env, retries), env);
