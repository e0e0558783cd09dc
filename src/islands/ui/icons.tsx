/** Lucide icons (ISC licence), only those an island draws. Hidden from assistive technology. */
export interface IconProps {
  /** CSS pixels. */
  readonly size?: number;
  readonly className?: string;
}

export function Icon({ size = 20, className = '', path }: IconProps & { readonly path: string }) {
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

const CIRCLE = 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0';

export const PlusIcon = (props: IconProps) => <Icon {...props} path="M5 12h14m-7-7v14" />;
export const MinusIcon = (props: IconProps) => <Icon {...props} path="M5 12h14" />;
export const CheckIcon = (props: IconProps) => <Icon {...props} path="M20 6 9 17l-5-5" />;
export const ArrowRightIcon = (props: IconProps) => <Icon {...props} path="M5 12h14m-7-7 7 7-7 7" />;
export const ChevronDownIcon = (props: IconProps) => <Icon {...props} path="m6 9 6 6 6-6" />;
export const AlertIcon = (props: IconProps) => <Icon {...props} path={`${CIRCLE}M12 8v4m0 4h.01`} />;
export const CircleCheckIcon = (props: IconProps) => <Icon {...props} path={`${CIRCLE}m-6-3-5.5 5.5L8 12`} />;
export const TrashIcon = (props: IconProps) => (
  <Icon
    {...props}
    path="M10 11v6m4-6v6m5-11v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M3 6h18M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2"
  />
);
export const EyeIcon = (props: IconProps) => (
  <Icon
    {...props}
    path="M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0"
  />
);
export const EyeOffIcon = (props: IconProps) => (
  <Icon
    {...props}
    path="M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.8 10.8 0 0 1-1.444 2.49m-6.41-.679a3 3 0 0 1-4.242-4.242M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143M2 2l20 20"
  />
);
export const ImageOffIcon = (props: IconProps) => (
  <Icon
    {...props}
    path="m2 2 20 20M10.41 10.41a2 2 0 1 1-2.83-2.83m5.92 5.92L6 21m12-9 3 3M3.59 3.59A2 2 0 0 0 3 5v14a2 2 0 0 0 2 2h14c.55 0 1.052-.22 1.41-.59M21 15V5a2 2 0 0 0-2-2H9"
  />
);
export const PackageIcon = (props: IconProps) => (
  <Icon
    {...props}
    path="M11 21.73a2 2 0 0 0 2 0l7-4A2 2 0 0 0 21 16V8a2 2 0 0 0-1-1.73l-7-4a2 2 0 0 0-2 0l-7 4A2 2 0 0 0 3 8v8a2 2 0 0 0 1 1.73zm1 .27V12M3.29 7 12 12l8.71-5M7.5 4.27l9 5.15"
  />
);
export const LogOutIcon = (props: IconProps) => (
  <Icon {...props} path="m16 17 5-5-5-5m5 5H9m0 9H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4" />
);
