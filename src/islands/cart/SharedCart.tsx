import { useStore } from '@nanostores/react';
import { choiceText, lineKey, mergeLines } from '#domain/cart.ts';
import { formatPaise } from '#domain/money.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import { availableLines, type RequestOutcome, unavailableItems } from '#domain/requested-items.ts';
import { Button } from '#islands/ui/Button.tsx';
import { SummaryLine } from '#islands/ui/Totals.tsx';
import { UnavailableItems } from '#islands/ui/UnavailableItems.tsx';
import { $cart } from '#stores/cart/cart.ts';
import { $postalCode } from '#stores/cart/price-check.ts';
import { $sharedCart, applyChoice, openSharedCart } from '#stores/cart/shared-cart.ts';
import { $delivery } from '#stores/cart/terms.ts';

interface SharedCartProps {
  onChoice(): void;
}

/** A link may name the same item twice. */
function Lines({ outcomes }: { readonly outcomes: readonly RequestOutcome[] }) {
  const lines = mergeLines(availableLines(outcomes));
  return (
    <ul>
      {lines.map((line) => (
        <SummaryLine key={lineKey(line)} line={line}>
          <p className="text-caption text-ink3" translate="no">
            {choiceText(line)}
          </p>
        </SummaryLine>
      ))}
    </ul>
  );
}

export function SharedCart({ onChoice }: SharedCartProps) {
  const shared = useStore($sharedCart);
  const isEmpty = useStore($cart).length === 0;
  const delivery = useStore($delivery);
  const postalCode = useStore($postalCode);
  const answer = (choice: 'add' | 'replace' | 'leave') => () => {
    applyChoice(choice);
    onChoice();
  };
  const outcomes = shared.status === 'loaded' ? shared.outcomes : [];
  const lines = availableLines(outcomes);
  const missing = unavailableItems(outcomes);
  return (
    <section
      className="mt-4 grid gap-3 rounded-card bg-mist p-5"
      aria-labelledby="shared-title"
      aria-busy={shared.status === 'loading'}
    >
      <h2 id="shared-title">A cart was shared with you</h2>
      <p role="status">
        {shared.status === 'loading'
          ? 'Looking up today’s prices …'
          : lines.length > 0
            ? `Today it comes to ${formatPaise(amountsOf(lines, delivery, postalCode).total)}.`
            : 'Nothing in this link can be bought today.'}
      </p>
      <Lines outcomes={outcomes} />
      <UnavailableItems missing={missing} />
      {shared.status === 'loaded' && shared.dropped > 0 && (
        <p className="text-caption text-ink3">A part of the link could not be read, or was too long.</p>
      )}
      {missing.some(({ isUnknown }) => isUnknown) && (
        <Button variant="outline" size="small" onClick={() => void openSharedCart()}>
          Try Again
        </Button>
      )}
      <div className="flex flex-wrap gap-3 *:flex-[1_0_auto]">
        {lines.length > 0 && (
          <Button onClick={answer('add')}>{isEmpty ? 'Put in my cart' : 'Add to my cart'}</Button>
        )}
        {lines.length > 0 && !isEmpty && (
          <Button variant="outline" onClick={answer('replace')}>
            Replace my cart
          </Button>
        )}
        <Button variant="outline" onClick={answer('leave')}>
          {isEmpty ? 'No, thanks' : 'Keep my cart'}
        </Button>
      </div>
    </section>
  );
}
