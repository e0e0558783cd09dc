import { fitsQrCode, qrImage } from './payment.ts';
import { isAppLink } from './payment-target.ts';

/** How the shopper pays outside this page: with a code to scan, a payment app, or both. */
export interface Handover {
  /** The content of the QR code. */
  readonly text?: string;
  /** A picture of a QR code, as a data URL. */
  readonly image?: string;
  /** A payment app's link that has passed the allow-list. */
  readonly link?: string;
}

/** Reads a stored handover. Checks it like a server response, because anybody may write to the storage. */
export function decodeHandover(value: unknown): Handover | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { text, image, link }: Partial<Record<keyof Handover, unknown>> = value;
  const picture = typeof image === 'string' ? qrImage(image) : undefined;
  const handover: Handover = {
    ...(typeof text === 'string' && fitsQrCode(text) ? { text } : {}),
    ...(picture === undefined ? {} : { image: picture }),
    ...(typeof link === 'string' && isAppLink(link) ? { link } : {}),
  };
  return Object.keys(handover).length > 0 ? handover : undefined;
}
