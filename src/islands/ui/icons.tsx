import type { ReactNode } from 'react';

export const TRASH =
  'M10 11v6m4-6v6m5-11v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M3 6h18M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2';

export const PACKAGE =
  'M11 21.73a2 2 0 0 0 2 0l7-4A2 2 0 0 0 21 16V8a2 2 0 0 0-1-1.73l-7-4a2 2 0 0 0-2 0l-7 4A2 2 0 0 0 3 8v8a2 2 0 0 0 1 1.73zm1 .27V12M3.29 7 12 12l8.71-5M7.5 4.27l9 5.15';

export const CIRCLE_CHECK = 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0m-6-3-5.5 5.5L8 12';

interface IconProps {
  readonly path: string;
  /** Units: CSS pixels. */
  readonly size?: number;
  readonly className?: string;
}

/**
 * A Lucide icon (ISC licence), hidden from assistive technology. An icon that only one component uses is defined with
 * that component, so that other pages do not load it.
 */
export function Icon({ size = 20, className = '', path }: IconProps): ReactNode {
  return (
    <svg
      className={`icon ${className}`}
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

export const CHECK = 'M20 6 9 17l-5-5';
export const ARROW_RIGHT = 'M5 12h14m-7-7 7 7-7 7';
export const CHEVRON_DOWN = 'm6 9 6 6 6-6';
export const ALERT = 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0M12 8v4m0 4h.01';
