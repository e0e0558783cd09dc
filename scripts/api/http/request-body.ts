import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { isReserved } from '#scripts/api/schema/product.ts';
import type { Env } from '#scripts/api/shop.ts';
import { orderProblem, Refusal } from './refusal.ts';

/** In bytes: 64 KB (faults 93). */
const BODY_MOST = 64 * 1024;

const tooLarge = (): Refusal => new Refusal(413, 'The request is too large');

/**
 * Reads at most 64 KB. Hono's own `bodyLimit` cannot do it here: it answers every body without a Content-Length with
 * a 500, unless the Node server replaces the global `Request`, and one that breaks off as well.
 */
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

/** Reads the body once, before whoever needs it. @throws Refusal 413, or 400 where it is not UTF-8 or breaks off */
export const readBody = createMiddleware<Env>(async (context, next) => {
  if (Number(context.req.header('content-length') ?? 0) > BODY_MOST) throw tooLarge();
  const bytes = await readLimited(context.req.raw);
  try {
    context.set('body', new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'The request is not valid UTF-8');
  }
  await next();
});

/**
 * Lets in what has this content type. The form of another site can post its own types, but not JSON without asking
 * first (faults 38).
 */
export const requireType = (wanted: string) =>
  createMiddleware(async (context, next) => {
    const [type = ''] = (context.req.header('content-type') ?? '').split(';');
    if (type.trim().toLowerCase() !== wanted) throw new Refusal(415, `The request must be ${wanted}`);
    await next();
  });

/** Refuses reserved names, because a schema would pass over them and an order silently lose a product (faults 57). */
function withoutReserved(name: string, value: unknown): unknown {
  if (isReserved(name)) throw orderProblem('name_reserved', name, 'The request uses a reserved name.');
  return value;
}

/** The body's JSON. @throws Refusal 400, or 422 where it uses a reserved name */
export function bodyJson(context: Context<Env>): unknown {
  try {
    return JSON.parse(context.get('body'), withoutReserved);
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The request is not valid JSON');
  }
}
