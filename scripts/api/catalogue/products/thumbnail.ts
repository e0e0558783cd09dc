import sharp from 'sharp';
import * as v from 'valibot';
import { notModified } from '#scripts/api/http/cached-answer.ts';
import { isImageName } from '#scripts/api/http/names.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import type { OfficeContext } from '#scripts/api/office/page.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';

const PictureSchema = v.object({ etag: v.string(), bytes: v.instance(Uint8Array) });

/** In px: the side of a picture in lists, on screens with two pixels for each. */
const SIDE = 192;

/** A picture of at most a few KB, because whole pictures would make lists slow on a phone. */
export async function showThumbnail(context: OfficeContext, { db }: Shop): Promise<Response> {
  const name = context.req.param('name') ?? '';
  const picture = isImageName(name)
    ? await db.get(PictureSchema, 'SELECT etag, bytes FROM pictures WHERE name = ?', name)
    : undefined;
  if (!picture) throw new Refusal(404, 'There is no such picture.');
  const cached = notModified(context, `"${picture.etag}-${SIDE}"`, 'private, max-age=600');
  if (cached) return cached;
  try {
    const small = await sharp(picture.bytes)
      .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 70 })
      .toBuffer();
    return context.body(new Uint8Array(small), 200, { 'Content-Type': 'image/webp' });
  } catch {
    throw new Refusal(404, 'This picture cannot be read.');
  }
}
