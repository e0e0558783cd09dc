import { type RequestOutcome, type UnavailableItem, unavailableReason } from '#domain/requested-items.ts';
import { paths } from '#paths.ts';

const canBeOpened: readonly RequestOutcome['kind'][] = ['renamed', 'choice', 'unpriced', 'unknown'];

/** What was requested and cannot be had as it was, each with its reason. */
export const UnavailableItems = ({ missing }: { readonly missing: readonly UnavailableItem[] }) =>
  missing.length > 0 && (
    <ul className="missing-offers">
      {missing.map((outcome, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be the same
        <li key={index}>
          {unavailableReason(outcome)}{' '}
          {canBeOpened.includes(outcome.kind) && (
            <a href={paths.product(outcome.id)}>
              Open it{' '}
              <span className="sr-only" translate="no">
                : {outcome.name}
              </span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
