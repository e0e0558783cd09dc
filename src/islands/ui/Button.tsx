import type { MouseEvent, ReactNode } from 'react';

const LOOKS = {
  primary: '',
  outline: 'btn-outline',
  ghost: 'btn-ghost',
  light: 'btn-light',
  mango: 'btn-mango',
} as const;

const SIZES = { small: 'btn-sm', medium: '', large: 'btn-lg' } as const;

export interface ButtonProps {
  readonly children: ReactNode;
  readonly id?: string;
  readonly type?: 'button' | 'submit';
  readonly look?: keyof typeof LOOKS;
  readonly size?: keyof typeof SIZES;
  /** Working: shows the spinner, keeps focus, and ignores clicks. */
  readonly busy?: boolean;
  /** The page is not ready: as long as its submit button is disabled, a browser sends no form by itself. */
  readonly waiting?: boolean;
  /** Cannot be used now: keeps focus, and ignores clicks. Say why in what `describedBy` names. */
  readonly inactive?: boolean;
  /** A click while inactive: says what is missing. */
  onInactive?(): void;
  readonly describedBy?: string;
  /** Where the words on it do not say enough. */
  readonly label?: string;
  readonly className?: string;
  onClick?(): void;
}

/**
 * A button that never loses focus: it is aria-disabled, not disabled. A submit button that is busy or inactive
 * submits nothing, but Enter in a field still does: the form's own handler must guard as well.
 */
export function Button({
  children,
  id,
  type = 'button',
  look = 'primary',
  size = 'medium',
  busy = false,
  inactive = false,
  waiting = false,
  onInactive,
  describedBy,
  label,
  className = '',
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
      className={`btn ${LOOKS[look]} ${SIZES[size]} ${className}`}
      disabled={waiting}
      aria-disabled={off || undefined}
      aria-describedby={describedBy}
      aria-label={label}
      onClick={click}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
