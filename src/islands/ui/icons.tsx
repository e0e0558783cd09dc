import type { ReactNode } from 'react';

export interface IconProps {
  /** CSS pixels. */
  readonly size?: number;
}

/**
 * The frame of a Lucide icon (ISC licence), hidden from assistive technology. An icon that only one component uses is
 * defined with that component, so that other pages do not load it.
 */
export function Icon({ size = 20, path }: IconProps & { readonly path: string }): ReactNode {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  );
}

export const CheckIcon = (props: IconProps) => <Icon {...props} path="M20 6 9 17l-5-5" />;
export const ArrowRightIcon = (props: IconProps) => <Icon {...props} path="M5 12h14m-7-7 7 7-7 7" />;
export const ChevronDownIcon = (props: IconProps) => <Icon {...props} path="m6 9 6 6 6-6" />;
export const AlertIcon = (props: IconProps) => (
  <Icon {...props} path="M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0M12 8v4m0 4h.01" />
);
