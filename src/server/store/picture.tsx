import type { ReactNode } from 'react';
import sharp, { type Sharp } from 'sharp';
import type { AdminContext } from '#server/admin/page.ts';
import { thumbnailPath } from '#server/admin/paths.ts';
import { q } from '#server/db/query.ts';
import { notModified } from '#server/http/cached-answer.ts';
import { isImageName } from '#server/http/names.ts';
import { Refusal } from '#server/http/refusal.ts';
import { storeUploads } from '#server/pictures/stored-pictures.ts';
import type { Services } from '#server/services/services.ts';

export const picture = (name: string, alt: string): ReactNode => (
  <img
    key={name}
    className="object-contain align-middle"
    src={thumbnailPath(name)}
    alt={alt}
    width="64"
    height="64"
    loading="lazy"
  />
);

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

type Upload =
  | { readonly status: 'none' }
  | { readonly status: 'stored'; readonly name: string }
  | { readonly status: 'refused'; readonly reason: string };

export async function storePicture(services: Services, file: FormDataEntryValue | null): Promise<Upload> {
  const { names, refusals } = await storeUploads(services, file === null ? [] : [file]);
  const [[name], [reason]] = [names, refusals];
  if (reason !== undefined) return { status: 'refused', reason };
  return name === undefined ? { status: 'none' } : { status: 'stored', name };
}

/** In bytes, for one picture of 15 MiB and the rest of the form. */
export const PICTURE_FORM_MOST = 16 * 1_024 * 1_024;
