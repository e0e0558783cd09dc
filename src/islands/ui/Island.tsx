import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { useHydrated } from './hooks.ts';
import { islandFields, Recovery, restoreTyped } from './Recovery.tsx';

/** A grey placeholder, hidden from assistive technology. The classes set its size and radius. */
export const Skeleton = ({ className }: { readonly className: string }) => (
  <span
    className={`block animate-shimmer bg-shimmer bg-size-[300%_100%] ${className}`}
    aria-hidden="true"
    data-skeleton
  />
);

const loadKy = (): void => void import('#api/ky.ts').catch(() => {});

interface IslandProps {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/**
 * The outermost element of every island. It signals that React has hydrated the markup. Before that, no other script
 * may change the markup (components/shell/hindi.ts), and taps are stored (components/shell/early.ts).
 */
export const Island = ({ className = 'flow-root', children }: IslandProps) => {
  const isHydrated = useHydrated();
  // If a program has changed the texts before the hydration, React renders the island again.
  const [typedEarly] = useState(islandFields);
  useEffect(() => {
    if (!isHydrated) return;
    restoreTyped(typedEarly);
    // stores/shell/page-load.ts dispatches it. A call before then loads ky itself.
    addEventListener('idle', loadKy);
    dispatchEvent(new Event('hydrated'));
  }, [isHydrated, typedEarly]);
  return (
    <div className={className} data-hydrated={isHydrated}>
      <Recovery>{children}</Recovery>
    </div>
  );
};

/** The cards of an account's page, below each other. */
export const AccountCards = ({ children, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className="mt-5 grid max-w-170 gap-5">
    {children}
  </div>
);

export const AccountCard = ({ className = '', children, ...rest }: ComponentProps<'section'>) => (
  <section
    {...rest}
    className={`grid justify-items-start gap-4 rounded-card border border-line p-5.5 [overflow-wrap:anywhere] ${className}`}
  >
    {children}
  </section>
);
