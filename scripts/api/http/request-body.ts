import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { isReserved } from '#scripts/api/schema/product.ts';
import type { Env } from '#scripts/api/shop.ts';
import { orderProblem, Refusal } from './refusal.ts';

/** The longest body, in bytes (faults 93). */
const BODY_LIMIT = 64 * 1024;

const tooLarge = (): Refusal => new Refusal(413, 'The request is too large');

/**
 * Reads a body of at most `most` bytes. Hono's `bodyLimit` does not work on this server: it answers every body that comes without a
 * Content-Length with a 500, unless the server replaces the global `Request`.
 */
async function readLimited(request: Request, most: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > most) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The request broke off');
  }
  return Buffer.concat(chunks);
}

/** @throws Refusal 413 where the body has more than `most` bytes, or 400 where it breaks off */
export async function readBytes(request: Request, most: number): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge();
  return readLimited(request, most);
}

/** Reads the body into the context. @throws Refusal 413, or 400 where it is not UTF-8 or breaks off */
export const readBody = createMiddleware<Env>(async (context, next) => {
  const bytes = await readBytes(context.req.raw, BODY_LIMIT);
  try {
    context.set('body', new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'The request is not valid UTF-8');
  }
  await next();
});

/** Refuses other content types. A form on another site can send only the types of forms, not JSON (faults 38). */
export const requireType = (wanted: string) =>
  createMiddleware(async (context, next) => {
    const [type = ''] = (context.req.header('content-type') ?? '').split(';');
    if (type.trim().toLowerCase() !== wanted) throw new Refusal(415, `The request must be ${wanted}`);
    await next();
  });

/** A reviver for JSON.parse. Schemas would skip a reserved name, and an order would lose a product (faults 57). */
function refuseReserved(name: string, value: unknown): unknown {
  if (isReserved(name)) throw orderProblem('name_reserved', name, 'The request uses a reserved name.');
  return value;
}

/** The body's JSON. @throws Refusal 400, or 422 where it uses a reserved name */
export function bodyJson(context: Context<Env>): unknown {
  try {
    return JSON.parse(context.get('body'), refuseReserved);
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The request is not valid JSON');
  }
}
