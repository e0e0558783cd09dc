import * as v from 'valibot';
import type { Result } from './failure.ts';

const isJson = (response: Response): boolean => /\bjson\b/i.test(response.headers.get('Content-Type') ?? '');

/** Returns undefined for broken JSON and for encodings other than UTF-8, which would be garbled. */
function parseJson(body: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

export type AnswerSchema = v.GenericSchema | v.GenericSchemaAsync;

export type Answer<Schema extends AnswerSchema> = Promise<Result<v.InferOutput<Schema>>>;

/** Reads a successful response. Its body must be JSON that fits the schema. */
export async function readAnswer<Schema extends AnswerSchema>(
  schema: Schema,
  response: Response,
): Answer<Schema> {
  const body = isJson(response) ? parseJson(await response.arrayBuffer()) : undefined;
  const parsed = await v.safeParseAsync(schema, body);
  return body === undefined || !parsed.success
    ? { ok: false, failure: { kind: 'unreadable', status: response.status } }
    : { ok: true, value: parsed.output };
}
