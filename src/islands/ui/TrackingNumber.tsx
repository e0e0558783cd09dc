import { type Order, TRACKING_TEXT, type Tracking, trackingText } from '#domain/order.ts';
import { PAID_ORDER } from '#domain/order-status.ts';

/** A link to the carrier's page of each parcel, if its address is known. */
export function TrackingNumber({ order: { status, tracking, parcels } }: { readonly order: Order }) {
  if (!tracking) return <span>{TRACKING_TEXT}</span>;
  const all = (parcels?.length ? parcels : [tracking]) as readonly Tracking[];
  return (
    <>
      {all.map((parcel) => (
        <a
          key={parcel.number}
          className={all.length > 1 ? 'block' : undefined}
          href={parcel.url || undefined}
          target="_blank"
          rel="noopener noreferrer"
          translate="no"
        >
          {trackingText(parcel)}
        </a>
      ))}
      {parcels?.length && status === PAID_ORDER ? <span className="block">The rest follows.</span> : null}
    </>
  );
}
