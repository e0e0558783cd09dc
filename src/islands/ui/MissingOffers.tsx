import { type Missing, type Offer, reasonOf } from '#domain/wanted.ts';
import { paths } from '#paths.ts';

const canBeOpened: readonly Offer['kind'][] = ['renamed', 'choice', 'unpriced', 'unknown'];

/** What was wanted and cannot be had as it was, each with its reason. */
export const MissingOffers = ({ missing }: { readonly missing: readonly Missing[] }) =>
  missing.length > 0 && (
    <ul className="missing-offers">
      {missing.map((offer, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be the same
        <li key={index}>
          {reasonOf(offer)}{' '}
          {canBeOpened.includes(offer.kind) && (
            <a href={paths.product(offer.id)}>
              Open it{' '}
              <span className="sr-only" translate="no">
                : {offer.name}
              </span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
