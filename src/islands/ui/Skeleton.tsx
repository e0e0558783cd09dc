/** A grey bar in the place of what comes; its size is the caller's class. Says nothing to anybody. */
export const Skeleton = ({ className }: { readonly className: string }) => (
  <span className={`skeleton ${className}`} aria-hidden="true" />
);
