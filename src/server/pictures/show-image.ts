import type { Context } from 'hono';
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
  const image = isImageName(name)
    ? await db.row(q.selectFrom('pictures').select('etag').where('name', '=', name))
    : undefined;
  if (!image) throw notFound();
  context.header('Cross-Origin-Resource-Policy', 'cross-origin');
  const unchanged = notModified(context, `"${image.etag}"`, CACHE_CONTROL);
  if (unchanged) return unchanged;
  const bytes = await bytesOf(db, name, image.etag);
  return context.body(streamOf(bytes), 200, {
    'Content-Type': `image/${formatOf(name)}`,
    'Content-Length': String(bytes.byteLength),
  });
}
