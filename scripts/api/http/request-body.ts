import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { Refusal } from './refusal.ts';

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

/**
 * A page of another site can send only the types of forms, not JSON (faults 38).
 * @throws Refusal 415 for another content type
 */
export function checkType({ req }: Context, ...wanted: readonly string[]): void {
  const [type = ''] = (req.header('content-type') ?? '').split(';');
  if (!wanted.includes(type.trim().toLowerCase()))
    throw new Refusal(415, `The request must be ${wanted.join(' or ')}`);
}

export const requireType = (...wanted: readonly string[]) =>
  createMiddleware(async (context, next) => {
    checkType(context, ...wanted);
    await next();
  });
