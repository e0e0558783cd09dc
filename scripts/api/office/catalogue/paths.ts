import { isRemote } from '#scripts/api/catalogue/images.ts';
import { OFFICE } from '#scripts/api/office/page.ts';

export const CATALOGUE = `${OFFICE}/catalogue`;

export const PRICES = `${CATALOGUE}/prices`;

export const SORT = `${CATALOGUE}/sort`;

export const productPath = (id: string): string => `${CATALOGUE}/products/${encodeURIComponent(id)}`;

/** A small form of a picture. One at another host is shown as it is. */
export const thumbnailPath = (picture: string): string =>
  isRemote(picture) ? picture : `${CATALOGUE}/thumbnails/${encodeURIComponent(picture)}`;
