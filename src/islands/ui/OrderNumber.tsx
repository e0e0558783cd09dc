const SHOWN_LENGTH = 8;

/**
 * Shows only the beginning of an order number. The rest takes up no space, but is selected, copied and read out with
 * it, because only the whole number finds an order.
 */
export const OrderNumber = ({ id }: { readonly id: string }) => (
  <span className="order-number" translate="no">
    {`#${id.slice(0, SHOWN_LENGTH)}`}
    <span>{id.slice(SHOWN_LENGTH)}</span>
  </span>
);
