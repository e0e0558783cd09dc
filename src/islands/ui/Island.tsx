import type { ReactNode } from 'react';
import { useHydrated } from './use-hydrated.ts';

interface IslandProps {
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * The outermost element of every island. It says when React has taken over the built markup: until then no other script
 * may change what is in it (components/shell/hindi.ts).
 */
export const Island = ({ className, children }: IslandProps) => (
  <div className={className} data-hydrated={useHydrated()}>
    {children}
  </div>
);
