import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { clearNotice, notify } from '#stores/shell/toasts.ts';

const VARIANTS = {
  primary: 'border-transparent bg-leaf text-on-leaf hover:bg-leaf-hover',
  outline: 'border-ink bg-transparent text-ink hover:bg-leaf-tint',
  ghost: 'border-transparent bg-transparent text-ink hover:bg-leaf-tint',
} as const;

const SIZES = {
  small: 'min-h-11 px-4.5 text-note',
  medium: 'min-h-12 px-5.5',
  large: 'min-h-14 px-7 text-lead',
} as const;

interface Appearance {
  readonly variant?: keyof typeof VARIANTS | undefined;
  readonly size?: keyof typeof SIZES | undefined;
  /** Its place in the layout around it. */
  readonly className?: string | undefined;
}

const classOf = ({ variant = 'primary', size = 'medium', className = '' }: Appearance): string =>
  `inline-flex items-center justify-center gap-2 rounded-full border-2 text-center font-strong no-underline transition-[background-color] duration-120 active:transform-[scale(0.98)] in-[:lang(hi)]:leading-[1.4] ${VARIANTS[variant]} ${SIZES[size]} ${className}`;

/** A link that looks like a button. */
export const ButtonLink = ({
  variant,
  size,
  className,
  children,
  ...link
}: Appearance & ComponentProps<'a'>) => (
  <a {...link} className={classOf({ variant, size, className })}>
    {children}
  </a>
);

/** A button that looks like a link. */
export const TextButton = ({ className = '', children, ...button }: ComponentProps<'button'>) => (
  <button
    type="button"
    {...button}
    className={`inline-flex min-h-11 items-center justify-center gap-2 border-0 bg-transparent p-0 font-semibold underline underline-offset-4 ${className}`}
  >
    {children}
  </button>
);

export interface ButtonProps extends Appearance {
  readonly children: ReactNode;
  readonly id?: string;
  readonly type?: 'button' | 'submit';
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

const Spinner = () => (
  <span
    className="size-4.5 animate-spin rounded-full border-[2.5px] border-current border-t-transparent"
    aria-hidden="true"
  />
);

/** aria-busy: tapped before the page's scripts had run. */
const INACTIVE =
  'aria-busy:cursor-not-allowed aria-busy:bg-line aria-busy:text-ink2 aria-disabled:cursor-not-allowed aria-disabled:bg-line aria-disabled:text-ink2';

/**
 * An early tap marks the button as busy before React takes over (early.ts). In development React would report a
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
  busy = false,
  inactive = false,
  onInactive,
  describedBy,
  label,
  onClick,
  ...appearance
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
      className={`${classOf(appearance)} ${busy ? 'aria-disabled:cursor-progress aria-disabled:bg-leaf aria-disabled:text-on-leaf' : INACTIVE}`}
      aria-disabled={off || undefined}
      aria-describedby={describedBy}
      aria-label={label}
      onClick={click}
      {...MAY_BE_BUSY}
    >
      {busy && <Spinner />}
      <span className="contents">{children}</span>
    </button>
  );
}

const REFUSED = {
  title: 'Could not copy',
  text: 'Select the text and copy it yourself.',
  tone: 'error',
} as const;

/** Copies a text and shows the result. Pages without https have no clipboard. */
async function copyText(text: string, copied: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    clearNotice(REFUSED);
    notify({ title: 'Copied', text: copied });
  } catch {
    notify(REFUSED);
  }
}

interface CopyButtonProps {
  readonly text: string;
  /** The notice afterwards. */
  readonly copied: string;
  readonly children: ReactNode;
}

export const CopyButton = ({ text, copied, children }: CopyButtonProps) => (
  <Button variant="outline" size="small" onClick={() => void copyText(text, copied)}>
    {children}
  </Button>
);
