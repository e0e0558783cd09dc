import { createMiddleware } from 'hono/factory';
import { Refusal } from './refusal.ts';

const tooLarge = (): Refusal => new Refusal(413, 'The request is too large');

/** The time that even a small body may take, in ms. */
const MIN_TIME = 10_000;

/** In bytes per ms: 2 Mbit/s. Larger bodies get more time at this speed, because staff upload photos from phones. */
const MIN_SPEED = 256;

/** Returns how long a body of at most `max` bytes may take, in ms. */
export const timeFor = (max: number): number => MIN_TIME + max / MIN_SPEED;

/**
 * Reads a body. Hono's `bodyLimit` does not work here: without a Content-Length it answers 500, unless the server
 * replaces the global `Request`.
 * @throws Refusal 413 if the body is larger than `max` bytes, 408 if it is slow, 400 if it breaks off
 */
export async function readBytes(
  request: Request,
  max: number,
  time = timeFor(max),
): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > max) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const collect = new WritableStream<Uint8Array>({
    write(chunk) {
      size += chunk.byteLength;
      if (size > max) throw tooLarge();
      chunks.push(chunk);
    },
  });
  const late = AbortSignal.timeout(time);
  try {
    // Cancelling the body would close the connection before the refusal is sent.
    await request.body?.pipeTo(collect, { signal: late, preventCancel: true });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw late.aborted
      ? new Refusal(408, 'The request took too long')
      : new Refusal(400, 'The request broke off');
  }
  return Buffer.concat(chunks);
}

/** A page of another site can send only the types of forms, not JSON. @throws Refusal 415 */
export const requireType = (...wanted: readonly string[]) =>
  createMiddleware(async ({ req }, next) => {
    const [type = ''] = (req.header('content-type') ?? '').split(';');
    if (!wanted.includes(type.trim().toLowerCase()))
      throw new Refusal(415, `The request must be ${wanted.join(' or ')}`);
    await next();
  });
