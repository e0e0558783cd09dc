import type { Context } from 'hono';
import { bodyText } from '#scripts/api/http/body.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';

/** The fields of a posted HTML form. @throws Refusal 400, 413, 415 */
export async function formBody(context: Context): Promise<URLSearchParams> {
  const [type = ''] = (context.req.header('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new Refusal(415, 'The request must be a form');
  }
  return new URLSearchParams(await bodyText(context));
}
