import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from 'hono';
import { artFolder, isImageName } from '#scripts/api/catalogue/images.ts';
import { notModified } from '#scripts/api/http/not-modified.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import type { Env, Shop } from '#scripts/api/shop.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** Fresh for an hour, so that a build need not ask for a picture again. */
const CACHE = 'public, max-age=3600, stale-while-revalidate=86400';

/** GET /images/{name}: a picture of the catalogue. */
export async function showImage(context: Context<Env>, shop: Shop): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const type = TYPES[extname(name)];
  const bytes =
    isImageName(name) && type !== undefined
      ? await readFile(join(artFolder(shop.settings.catalogue), name)).catch(() => undefined)
      : undefined;
  if (!bytes || type === undefined) throw new Refusal(404, 'Image not found');
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  context.header('Cross-Origin-Resource-Policy', 'cross-origin');
  return (
    notModified(context, etag, CACHE) ?? context.body(new Uint8Array(bytes), 200, { 'Content-Type': type })
  );
}
