import * as v from 'valibot';
import type { Result } from './failure.ts';

const isJson = (response: Response): boolean => /\bjson\b/i.test(response.headers.get('Content-Type') ?? '');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a successful answer says, if it is JSON of the wanted shape (faults 10, 11). */
export async function readAnswer<Schema extends v.GenericSchema>(
  schema: Schema,
  response: Response,
): Promise<Result<v.InferOutput<Schema>>> {
  const body = isJson(response) ? parseJson(await response.text()) : undefined;
  const parsed = v.safeParse(schema, body);
  return body === undefined || !parsed.success
    ? { ok: false, failure: { kind: 'unreadable', status: response.status } }
    : { ok: true, value: parsed.output };
}
