import type { UnavailableItem } from '#domain/requested-items.ts';
import { paths } from '#paths.ts';

export const UnavailableItems = ({
  missing,
  className,
}: {
  readonly missing: readonly UnavailableItem[];
  readonly className?: string;
}) =>
  missing.length > 0 && (
    <ul className={className}>
      {missing.map(({ id, name, reason, hasPage }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items may be equal
        <li key={index}>
          <span>{reason}</span>{' '}
          {hasPage && (
            <a href={paths.product(id)}>
              Open it{' '}
              <span className="sr-only" translate="no">
                {`: ${name}`}
              </span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
