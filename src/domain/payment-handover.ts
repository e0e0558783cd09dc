import { fitsCode, qrImage } from './payment.ts';
import { isAppLink } from './payment-target.ts';

/** What the shopper pays with outside of this page: a code to scan, a payment app, or both. */
export interface Handover {
  /** What the QR code says. */
  readonly text?: string;
  /** A QR code as a data address. */
  readonly image?: string;
  /** A payment app's link that has passed the allow-list. */
  readonly link?: string;
}

/** A handover out of a storage, where anybody may have written: what would not be shown today is left out. */
export function decodeHandover(value: unknown): Handover | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { text, image, link }: Partial<Record<keyof Handover, unknown>> = value;
  const picture = typeof image === 'string' ? qrImage(image) : undefined;
  const handover: Handover = {
    ...(typeof text === 'string' && fitsCode(text) ? { text } : {}),
    ...(picture === undefined ? {} : { image: picture }),
    ...(typeof link === 'string' && isAppLink(link) ? { link } : {}),
  };
  return Object.keys(handover).length > 0 ? handover : undefined;
}
