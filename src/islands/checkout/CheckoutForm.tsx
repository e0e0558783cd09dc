import { useStore } from '@nanostores/react';
import { itemCount } from '#domain/cart.ts';
import { formatPaise } from '#domain/money.ts';
import { addressLines } from '#domain/order.ts';
import { shownAmount } from '#domain/order-amounts.ts';
import type { CheckedLine } from '#domain/price-check.ts';
import { ADDRESS_FIELD_NAMES } from '#domain/shipping-address.ts';
import { Button } from '#islands/ui/Button.tsx';
import { ErrorSummary, errorsOf } from '#islands/ui/ErrorSummary.tsx';
import { type Fact, Facts } from '#islands/ui/Facts.tsx';
import { countItems, OrderProblems } from '#islands/ui/Totals.tsx';
import { useStoredForm } from '#islands/ui/use-stored-form.ts';
import { $forecast, $orderableCart } from '#stores/cart/price-check.ts';
import { $amountsToAgree, $checkout, OFFLINE } from '#stores/checkout/checkout.ts';
import { submitCheckout } from '#stores/checkout/open-checkout.ts';
import { $address, checkoutForm } from '#stores/checkout/shipping-address.ts';
import { $online } from '#stores/shell/online.ts';
import { AddressFields } from './AddressFields.tsx';
import { LineReview } from './LineReview.tsx';

function OrderRecap() {
  const cart = useStore($orderableCart);
  const address = useStore($address);
  const { lines, total } = useStore($amountsToAgree);
  const extras = lines
    .filter(({ id }) => id !== 'subtotal')
    .map((line) => `${line.name.toLowerCase()} ${shownAmount(line)}`);
  const facts: readonly Fact[] = [
    ['You order', countItems(itemCount(cart))],
    ['To pay', [formatPaise(total), ...extras].join(', ')],
    ['Deliver to', addressLines(address).join(', ') || 'The address above'],
    ...(address.phone.trim() === '' ? [] : [['Phone', address.phone] as const]),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing is filled in here
    <div role="group" aria-label="Order summary" id="order-recap" tabIndex={-1}>
      <Facts
        facts={facts}
        className="grid gap-1.5 rounded-panel bg-mist px-4.5 py-3.5 [&_dd]:font-semibold [&_dt]:text-base"
        rowClass="grid grid-cols-[96px_1fr] gap-3"
      />
    </div>
  );
}

export const FORM = 'grid max-w-170 gap-4 md:col-start-1 md:row-start-1';

export function CheckoutForm({ lines }: { readonly lines: readonly CheckedLine[] }) {
  const checkout = useStore($checkout);
  const failed = checkout.status === 'failed' ? checkout : undefined;
  const online = useStore($online);
  const { order } = useStore($forecast);
  const placing = checkout.status === 'placing';
  const { formProps } = useStoredForm(checkoutForm, submitCheckout);
  return (
    <form className={FORM} method="post" aria-labelledby="shipping-title" aria-busy={placing} {...formProps}>
      <h2 id="shipping-title" className="text-heading" tabIndex={-1}>
        Shipping details
      </h2>
      {failed && (
        <ErrorSummary
          {...failed.summary}
          errors={errorsOf(ADDRESS_FIELD_NAMES, failed.errors)}
          attempt={failed.attempt}
        />
      )}
      <AddressFields errors={failed?.errors ?? {}} />
      <LineReview lines={lines} refused={failed?.refused} />
      <OrderRecap />
      <OrderProblems sentences={order} />
      <Button type="submit" size="large" busy={placing} describedBy="order-note">
        {placing ? 'Processing...' : 'Create Order'}
      </Button>
      <p id="order-note" className="text-ink3 text-note" role="status">
        {online ? 'You pay in the next step.' : OFFLINE.summary.title}
      </p>
    </form>
  );
}
