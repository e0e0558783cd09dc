import { useStore } from '@nanostores/react';
import type { SubmitEvent } from 'react';
import type { CheckedLine } from '#domain/price-check.ts';
import { SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary } from '#islands/ui/ErrorSummary.tsx';
import { $checkout, submitCheckout } from '#stores/checkout/checkout.ts';
import { $online } from '#stores/shell/online.ts';
import { AddressFields } from './AddressFields.tsx';
import { LineReview } from './LineReview.tsx';
import { OrderRecap } from './OrderRecap.tsx';
import { KeepAddress, SavedAddresses } from './SavedAddresses.tsx';

/** Spec 2 and 5, checkout. */
export function CheckoutForm({ lines }: { readonly lines: readonly CheckedLine[] }) {
  const { status, errors, summary, refused, attempt } = useStore($checkout);
  const online = useStore($online);
  const placing = status === 'placing';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void submitCheckout();
  };
  const fieldErrors = SHIPPING_FIELDS.flatMap((fieldId) => {
    const text = errors[fieldId];
    return text === undefined ? [] : [{ fieldId, text }];
  });
  return (
    <form
      className="form"
      method="post"
      noValidate
      aria-labelledby="shipping-title"
      aria-busy={placing}
      onSubmit={submit}
    >
      <h2 id="shipping-title" className="checkout-title" tabIndex={-1}>
        Shipping details
      </h2>
      {summary && <ErrorSummary {...summary} errors={fieldErrors} attempt={attempt} />}
      <SavedAddresses />
      <AddressFields errors={errors} />
      <KeepAddress />
      <LineReview lines={lines} refused={refused} />
      <OrderRecap />
      <Button type="submit" size="large" busy={placing} inactive={!online} describedBy="order-note">
        {placing ? 'Processing...' : 'Create Order'}
      </Button>
      <p id="order-note" className="order-note" role="status">
        {online
          ? 'You pay in the next step.'
          : 'You are offline. Your address is kept; connect to the internet to place your order.'}
      </p>
    </form>
  );
}
