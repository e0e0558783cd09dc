import { useStore } from '@nanostores/react';
import type { SubmitEvent } from 'react';
import type { CheckedLine } from '#domain/price-check.ts';
import { SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary } from '#islands/ui/ErrorSummary.tsx';
import { $checkout } from '#stores/checkout/checkout.ts';
import { submitCheckout } from '#stores/checkout/submit-checkout.ts';
import { $online } from '#stores/shell/online.ts';
import { AddressFields } from './AddressFields.tsx';
import { LineReview } from './LineReview.tsx';
import { OrderRecap } from './OrderRecap.tsx';
import { KeepAddress, SavedAddresses } from './SavedAddresses.tsx';

export function CheckoutForm({ lines }: { readonly lines: readonly CheckedLine[] }) {
  const checkout = useStore($checkout);
  const failed = checkout.status === 'failed' ? checkout : undefined;
  const online = useStore($online);
  const placing = checkout.status === 'placing';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void submitCheckout();
  };
  const fieldErrors = SHIPPING_FIELDS.flatMap((fieldId) => {
    const text = failed?.errors[fieldId];
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
      {failed && <ErrorSummary {...failed.summary} errors={fieldErrors} attempt={failed.attempt} />}
      <SavedAddresses />
      <AddressFields errors={failed?.errors ?? {}} />
      <KeepAddress />
      <LineReview lines={lines} refused={failed?.refused} />
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
