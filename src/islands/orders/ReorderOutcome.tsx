import { formatRupees } from '#domain/money.ts';
import { UnavailableItems } from '#islands/ui/UnavailableItems.tsx';
import { paths } from '#paths.ts';
import type { ReorderResult } from '#stores/cart/add-order-to-cart.ts';

export function ReorderOutcome({ added, missing, repriced }: ReorderResult) {
  return (
    <>
      <p>
        {added === 0 ? (
          'Nothing of this order can be bought today.'
        ) : (
          <span>
            In your cart at today’s prices. <a href={paths.cart}>View cart</a>
          </span>
        )}
      </p>
      {repriced.length > 0 && (
        <ul>
          {repriced.map(({ name, was, now }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two items may have one name
            <li key={index}>
              <span translate="no">{name}</span>: was <span>{formatRupees(was)}</span>, now{' '}
              <span>{formatRupees(now)}</span>
            </li>
          ))}
        </ul>
      )}
      <UnavailableItems missing={missing} />
    </>
  );
}
