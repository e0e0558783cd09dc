import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import { Refusal } from './refusal.ts';

/** 64 KB (faults 93). */
const BODY_MOST = 64 * 1024;

const tooLarge = (): Refusal => new Refusal(413, 'The request is too large');

async function readLimited(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > BODY_MOST) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The request broke off');
  }
  return Buffer.concat(chunks);
}

/** The body as text, at most 64 KB. @throws Refusal 413, or 400 where it is not UTF-8 */
export async function bodyText(context: Context): Promise<string> {
  if (Number(context.req.header('content-length') ?? 0) > BODY_MOST) throw tooLarge();
  const bytes = await readLimited(context.req.raw);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'The request is not valid UTF-8');
  }
}

/** Whatever posts to the API says that it is JSON, which a form of another site cannot (faults 38). */
export const requireJson = createMiddleware(async (context, next) => {
  const [type = ''] = (context.req.header('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new Refusal(415, 'The request must be application/json');
  }
  await next();
});

/** The body's JSON. @throws Refusal 400, 413 */
export async function bodyJson(context: Context): Promise<unknown> {
  const text = await bodyText(context);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The request is not valid JSON');
  }
}

/** The body as the schema says. @throws Refusal 400, 413, or 422 with the schema's first text */
export async function parsedBody<S extends v.GenericSchema<unknown, unknown>>(
  context: Context,
  schema: S,
): Promise<v.InferOutput<S>> {
  const parsed = v.safeParse(schema, await bodyJson(context));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue);
  const missing = path === null ? 'The request must be an object' : `${path} is missing`;
  throw new Refusal(422, issue.type === 'object' ? missing : issue.message);
}
