import type { ComponentProps } from 'react';

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
