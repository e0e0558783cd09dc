import type { MouseEvent, ReactNode } from 'react';

const VARIANTS = {
  primary: '',
  outline: 'btn-outline',
  ghost: 'btn-ghost',
} as const;

const SIZES = { small: 'btn-sm', medium: '', large: 'btn-lg' } as const;

export interface ButtonProps {
  readonly children: ReactNode;
  readonly id?: string;
  readonly type?: 'button' | 'submit';
  readonly variant?: keyof typeof VARIANTS;
  readonly size?: keyof typeof SIZES;
  readonly busy?: boolean;
  /** Ignores clicks. The element with the id `describedBy` should say why. */
  readonly inactive?: boolean;
  /** Called on a click while inactive, for example to show what is missing. */
  onInactive?(): void;
  readonly describedBy?: string;
  /** The accessible name, if the visible text is not clear without its context. */
  readonly label?: string;
  onClick?(): void;
}

/**
 * An early tap marks the button as busy before React takes over (early-taps.ts). In development React would report a
 * hydration mismatch.
 */
const MAY_BE_BUSY = import.meta.env.DEV ? { suppressHydrationWarning: true } : {};

/**
 * Uses aria-disabled, so that it keeps the focus while it is busy or inactive. It then submits nothing, but Enter in a
 * field still submits the form, so the handler of the form must check as well.
 */
export function Button({
  children,
  id,
  type = 'button',
  variant = 'primary',
  size = 'medium',
  busy = false,
  inactive = false,
  onInactive,
  describedBy,
  label,
  onClick,
}: ButtonProps) {
  const off = busy || inactive;
  const click = (event: MouseEvent) => {
    if (off) event.preventDefault();
    if (!off) onClick?.();
    else if (!busy) onInactive?.();
  };
  return (
    <button
      id={id}
      type={type}
      className={`btn ${VARIANTS[variant]} ${SIZES[size]}`}
      aria-disabled={off || undefined}
      aria-describedby={describedBy}
      aria-label={label}
      onClick={click}
      {...MAY_BE_BUSY}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
