/** A grey placeholder, hidden from assistive technology. The class sets its size. */
export const Skeleton = ({ className }: { readonly className: string }) => (
  <span className={`skeleton ${className}`} aria-hidden="true" />
);
