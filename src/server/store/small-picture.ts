import sharp, { type Sharp } from 'sharp';
import type { AdminContext } from '#server/admin/page.ts';
import { q } from '#server/db/query.ts';
import { notModified } from '#server/http/cached-answer.ts';
import { isImageName } from '#server/http/names.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';

/** Answers with a smaller version of a stored picture. @param variant distinguishes versions in the ETag. @throws Refusal 404 */
export async function sendSmallPicture(
  context: AdminContext,
  { db }: Services,
  name: string,
  variant: string,
  make: (picture: Sharp) => Sharp | Promise<Sharp>,
): Promise<Response> {
  const stored = isImageName(name)
    ? await db.row(q.selectFrom('pictures').select(['etag', 'bytes']).where('name', '=', name))
    : undefined;
  if (!stored) throw new Refusal(404, 'There is no such picture.');
  const cached = notModified(context, `"${stored.etag}-${variant}"`, 'private, max-age=600');
  if (cached) return cached;
  try {
    const small = await (await make(sharp(stored.bytes))).webp({ quality: 70 }).toBuffer();
    return context.body(new Uint8Array(small), 200, { 'Content-Type': 'image/webp' });
  } catch {
    throw new Refusal(404, 'This picture cannot be read.');
  }
}
