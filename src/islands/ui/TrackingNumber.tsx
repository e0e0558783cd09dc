import { type Order, TRACKING_TEXT, trackingText } from '#domain/order.ts';

/** The parcel's number, as a link to the carrier's page where that is known. */
export function TrackingNumber({ order: { tracking } }: { readonly order: Order }) {
  if (!tracking) return TRACKING_TEXT;
  return (
    <a href={tracking.url || undefined} target="_blank" rel="noopener noreferrer" translate="no">
      {trackingText(tracking)}
    </a>
  );
}
