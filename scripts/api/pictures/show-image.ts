import type { Context } from 'hono';
import * as v from 'valibot';
import { notModified } from '#scripts/api/http/cached-answer.ts';
import { isImageName } from '#scripts/api/http/names.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import type { Env, Shop } from '#scripts/api/shop/shop.ts';
import { formatOf } from './bare-picture.ts';

/** A client may use an image for an hour, so that a build need not ask for it again. A shared cache asks after 30 s. */
const CACHE_CONTROL = 'public, max-age=3600, s-maxage=30, stale-while-revalidate=86400';

const ImageRowSchema = v.object({ etag: v.string(), bytes: v.instance(Uint8Array) });

/** GET /images/{name}: an image of the catalogue. */
export async function showImage(context: Context<Env>, shop: Shop): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const image = isImageName(name)
    ? await shop.db.get(ImageRowSchema, 'SELECT etag, bytes FROM pictures WHERE name = ?', name)
    : undefined;
  if (!image) throw new Refusal(404, 'Image not found');
  context.header('Cross-Origin-Resource-Policy', 'cross-origin');
  return (
    notModified(context, `"${image.etag}"`, CACHE_CONTROL) ??
    context.body(new Uint8Array(image.bytes), 200, { 'Content-Type': `image/${formatOf(name)}` })
  );
}
