import { html } from 'hono/html';
import sharp from 'sharp';
import * as v from 'valibot';
import { cropOf, HERO_RATIO } from '#domain/picture.ts';
import { isImageName, isRemote } from '#scripts/api/http/names.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import type { Typed } from '#scripts/api/office/forms/field.ts';
import type { OfficeContext, OfficePage } from '#scripts/api/office/page.ts';
import { OFFICE } from '#scripts/api/office/paths.ts';
import type { Parts } from '#scripts/api/office/seen.ts';
import type { Html } from '#scripts/api/office/views/html.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';

const PATH = '/store/phone-part';
/** In px. */
const WIDTH = 240;

const PictureSchema = v.object({ bytes: v.instance(Uint8Array) });
/** Per cent as they are typed. What is none is the middle. */
const PercentSchema = v.fallback(
  v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.maxValue(100)),
  50,
);

async function showPart(context: OfficeContext, { db }: Shop): Promise<Response> {
  const { name = '', x, y } = context.req.query();
  const picture = isImageName(name)
    ? await db.get(PictureSchema, 'SELECT bytes FROM pictures WHERE name = ?', name)
    : undefined;
  if (!picture) throw new Refusal(404, 'There is no such picture.');
  try {
    const stored = sharp(picture.bytes);
    const focus = { x: v.parse(PercentSchema, x), y: v.parse(PercentSchema, y) };
    const part = stored.extract(cropOf(await stored.metadata(), HERO_RATIO.phone, focus));
    const small = await part.resize({ width: WIDTH }).webp({ quality: 70 }).toBuffer();
    return context.body(new Uint8Array(small), 200, { 'Content-Type': 'image/webp' });
  } catch {
    throw new Refusal(404, 'This picture cannot be read.');
  }
}

/** What phones would show of the picture of the home page, by the values of the Store form. */
export function phonePart(typed: Typed, pictures: Parts): Html {
  const name = pictures['hero.picture'] ?? '';
  if (name === '' || isRemote(name)) return html``;
  const query = new URLSearchParams({
    name,
    x: String(typed['hero.focusX']),
    y: String(typed['hero.focusY']),
  });
  const height = Math.round(WIDTH / HERO_RATIO.phone);
  return html`<p>What phones show of the picture of the home page:</p>
<p><img src="${OFFICE}${PATH}?${query.toString()}" alt="The part for phones" width="${WIDTH}" height="${height}"></p>`;
}

export const PHONE_PART_PAGE: OfficePage = { method: 'GET', path: PATH, access: 'store', handle: showPart };
