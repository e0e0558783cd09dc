import { lineKey } from '#domain/cart.ts';
import type { CheckedLine } from '#domain/price-check.ts';
import { Button } from '#islands/ui/Button.tsx';
import { useFocusAfterRemoval } from '#islands/ui/hooks.ts';
import { OfferButton, PriceChange } from '#islands/ui/PriceChange.tsx';
import { removeFromCart } from '#stores/cart/cart-edits.ts';
import { acceptPrices } from '#stores/cart/price-check.ts';
import type { CheckoutProblem } from '#stores/checkout/checkout.ts';

interface LineReviewProps {
  readonly lines: readonly CheckedLine[];
  readonly refused: CheckoutProblem['refused'];
}

export function LineReview({ lines, refused }: LineReviewProps) {
  const changed = lines.filter(
    ({ line, was, forecast }) => was !== undefined || forecast || line.id === refused?.id,
  );
  const dearer = changed.filter(({ needsConsent }) => needsConsent);
  const isDecided =
    dearer.length === 0 && changed.every(({ line, forecast }) => !forecast && line.id !== refused?.id);
  useFocusAfterRemoval(changed.length + dearer.length, isDecided ? 'order-recap' : 'review-title');
  if (changed.length === 0) return null;
  return (
    <section
      className="grid gap-3 rounded-panel border-2 border-mango px-4.5 py-4"
      aria-labelledby="review-title"
    >
      <h2 id="review-title" className="text-heading" tabIndex={-1}>
        Changed since you filled your cart
      </h2>
      <ul>
        {changed.map(({ line, was, forecast }) => (
          <li className="flex flex-wrap items-center gap-3 py-2 [overflow-wrap:anywhere]" key={lineKey(line)}>
            <div className="min-w-0 flex-[1_1_160px]">
              <strong translate="no">{line.name}</strong>
              <PriceChange
                was={was}
                now={line.price}
                problem={forecast?.text ?? (refused?.id === line.id ? refused.text : undefined)}
              />
            </div>
            <OfferButton line={line} offer={forecast?.offer} />
            <Button
              variant="outline"
              size="small"
              className="flex-none"
              label={`Remove ${line.name} from cart`}
              onClick={() => removeFromCart(line.id)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {dearer.length > 0 && <Button onClick={acceptPrices}>Accept new prices</Button>}
    </section>
  );
}
