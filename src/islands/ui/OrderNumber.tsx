const SHOWN_LENGTH = 8;

/**
 * An order's number as shoppers see it: its beginning. The rest takes no room, but is selected, copied and read out with
 * it, because only the whole finds an order (faults 71).
 */
export const OrderNumber = ({ id }: { readonly id: string }) => (
  <span className="order-number" translate="no">
    {`#${id.slice(0, SHOWN_LENGTH)}`}
    <span>{id.slice(SHOWN_LENGTH)}</span>
  </span>
);
