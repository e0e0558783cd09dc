import type { Context } from 'hono';
import * as v from 'valibot';
import type { Database } from '#server/db/database.ts';
import { notModified } from '#server/http/cached-answer.ts';
import { isImageName } from '#server/http/names.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Env, Services } from '#server/services/services.ts';
import { formatOf } from './picture-metadata.ts';

/** A client may use an image for an hour, so that a build need not ask for it again. A shared cache asks after 30 s. */
const CACHE_CONTROL = 'public, max-age=3600, s-maxage=30, stale-while-revalidate=86400';

const EtagRowSchema = v.object({ etag: v.string() });

const BytesRowSchema = v.object({ bytes: v.instance(Uint8Array) });

/** How many pictures stay in memory. Each has at most 15 MB (`MOST_BYTES`). */
const KEPT = 8;

/** In bytes. */
const CHUNK = 64 * 1024;

const notFound = (): Refusal => new Refusal(404, 'Image not found');

/** The bytes of the pictures that were sent last, by ETag, which is a hash of them. */
const recent = new Map<string, Promise<Uint8Array>>();

async function readBytes(db: Database, name: string, etag: string): Promise<Uint8Array> {
  const sql = 'SELECT bytes FROM pictures WHERE name = ? AND etag = ?';
  const row = await db.get(BytesRowSchema, sql, name, etag);
  if (!row) throw notFound();
  return row.bytes;
}

/**
 * Returns a picture's bytes, which all answers share: reading them for each one would stall the process.
 * @throws StorageError, or Refusal where the picture changed meanwhile
 */
async function bytesOf(db: Database, name: string, etag: string): Promise<Uint8Array> {
  const bytes = recent.get(etag) ?? readBytes(db, name, etag);
  recent.delete(etag);
  recent.set(etag, bytes);
  for (const [oldest] of recent) if (recent.size > KEPT) recent.delete(oldest);
  try {
    return await bytes;
  } catch (error) {
    recent.delete(etag);
    throw error;
  }
}

/** Sends bytes as fast as they are read. A `Response` would copy them all at once. */
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

/** GET /images/{name}: an image of the catalogue. */
export async function showImage(context: Context<Env>, { db }: Services): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const image = isImageName(name)
    ? await db.get(EtagRowSchema, 'SELECT etag FROM pictures WHERE name = ?', name)
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
