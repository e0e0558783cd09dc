import { type RequestOutcome, type UnavailableItem, unavailableReason } from '#domain/requested-items.ts';
import { paths } from '#paths.ts';

const KINDS_WITH_PAGE: readonly RequestOutcome['kind'][] = ['renamed', 'choice', 'unpriced', 'unknown'];

export const UnavailableItems = ({
  missing,
  className,
}: {
  readonly missing: readonly UnavailableItem[];
  readonly className?: string;
}) =>
  missing.length > 0 && (
    <ul className={className}>
      {missing.map((outcome, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items may be equal
        <li key={index}>
          <span>{unavailableReason(outcome)}</span>{' '}
          {KINDS_WITH_PAGE.includes(outcome.kind) && (
            <a href={paths.product(outcome.id)}>
              Open it{' '}
              <span className="sr-only" translate="no">
                {`: ${outcome.name}`}
              </span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
