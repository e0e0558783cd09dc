import type { Context } from 'hono';
import sharp, { type Sharp } from 'sharp';
import type { Database } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { notModified } from '#server/http/cached-answer.ts';
import { isImageName } from '#server/http/names.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Env, Services } from '#server/services/services.ts';
import { formatOf } from './picture-metadata.ts';

/** Together less than an hour, after which nobody sees a removed picture. Shared caches revalidate after 30 s. */
export const CACHE_CONTROL = 'public, max-age=1800, s-maxage=30, stale-while-revalidate=1500';

/** In memory, each of at most 15 MB (`MAX_STORED_BYTES`). */
const CACHED_PICTURES = 8;

/** In bytes. */
const CHUNK = 64 * 1024;

const notFound = (): Refusal => new Refusal(404, 'Image not found');

/** @throws Refusal 404 */
async function etagOf(db: Database, name: string): Promise<string> {
  const named = q.selectFrom('pictures').select('etag').where('name', '=', name);
  const row = isImageName(name) ? await db.row(named) : undefined;
  if (!row) throw notFound();
  return row.etag;
}

/** Recently sent pictures by ETag, which is a hash of their bytes. */
const recent = new Map<string, Promise<Uint8Array>>();

async function readBytes(db: Database, name: string, etag: string): Promise<Uint8Array> {
  const named = q.selectFrom('pictures').select('bytes').where('name', '=', name);
  const row = await db.row(named.where('etag', '=', etag));
  if (!row) throw notFound();
  return row.bytes;
}

/**
 * Returns a picture's bytes. All responses share them, because reading them for each would block the event loop.
 * @throws StorageError, or Refusal 404 if the picture has changed since
 */
async function bytesOf(db: Database, name: string, etag: string): Promise<Uint8Array> {
  const bytes = recent.get(etag) ?? readBytes(db, name, etag);
  recent.delete(etag);
  recent.set(etag, bytes);
  for (const [oldest] of recent) if (recent.size > CACHED_PICTURES) recent.delete(oldest);
  try {
    return await bytes;
  } catch (error) {
    recent.delete(etag);
    throw error;
  }
}

/** Sends bytes as fast as the client reads. A `Response` would copy them all at once. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(at, at + CHUNK));
      at += CHUNK;
      if (at >= bytes.byteLength) controller.close();
    },
  });
}

/** GET /images/{name}. @throws Refusal 404 */
export async function showImage(context: Context<Env>, { db }: Services): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const etag = await etagOf(db, name);
  context.header('Cross-Origin-Resource-Policy', 'cross-origin');
  const unchanged = notModified(context, `"${etag}"`, CACHE_CONTROL);
  if (unchanged) return unchanged;
  const bytes = await bytesOf(db, name, etag);
  return context.body(streamOf(bytes), 200, {
    'Content-Type': `image/${formatOf(name)}`,
    'Content-Length': String(bytes.byteLength),
  });
}

/** Answers with a smaller version of a stored picture. @param variant distinguishes versions in the ETag. @throws Refusal 404 */
export async function sendSmallPicture<E extends Env>(
  context: Context<E>,
  { db }: Services,
  name: string,
  variant: string,
  make: (picture: Sharp) => Sharp | Promise<Sharp>,
): Promise<Response> {
  const etag = await etagOf(db, name);
  const unchanged = notModified(context, `"${etag}-${variant}"`, 'private, max-age=600');
  if (unchanged) return unchanged;
  const bytes = await readBytes(db, name, etag);
  try {
    const small = await (await make(sharp(bytes))).webp({ quality: 70 }).toBuffer();
    return context.body(new Uint8Array(small), 200, { 'Content-Type': 'image/webp' });
  } catch {
    throw new Refusal(404, 'This picture cannot be read.');
  }
}
