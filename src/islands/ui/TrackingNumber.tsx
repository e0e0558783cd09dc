import { type Order, TRACKING_TEXT } from '#domain/order.ts';

/** The parcel's number, as a link to the carrier's page where that is known (resolutions 46). */
export function TrackingNumber({ order: { tracking } }: { readonly order: Order }) {
  if (!tracking) return TRACKING_TEXT;
  const { carrier, number, url } = tracking;
  return (
    <a href={url || undefined} target="_blank" rel="noopener noreferrer" translate="no">
      {`${carrier} ${number}`.trim()}
    </a>
  );
}
