import { useEffect, useRef } from 'react';
import { ALERT, Icon } from './icons.tsx';

export interface FormError {
  /** The id of the field's control. */
  readonly fieldId: string;
  readonly text: string;
}

/** Returns the errors of the fields, in their order. The id of a control is its field's name. */
export const errorsOf = <Name extends string>(
  names: readonly Name[],
  errors: Partial<Record<Name, string>>,
): FormError[] => names.flatMap((fieldId) => (errors[fieldId] ? [{ fieldId, text: errors[fieldId] }] : []));

interface ErrorSummaryProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly errors?: readonly FormError[];
  /** The number of attempts. The summary takes the focus when it changes. */
  readonly attempt: number;
  readonly className?: string;
}

/** It is announced, takes the focus, and links to each field with an error. */
export function ErrorSummary({ title, text, errors = [], attempt, className = '' }: ErrorSummaryProps) {
  const summary = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failed attempt takes the focus
  useEffect(() => {
    summary.current?.focus();
  }, [attempt]);
  const focusField = (fieldId: string) => (event: { preventDefault(): void }) => {
    const field = document.getElementById(fieldId);
    if (!field) return;
    event.preventDefault();
    field.focus({ preventScroll: true });
    (field.closest('[data-field]') ?? field).scrollIntoView({ block: 'nearest' });
  };
  return (
    <div
      className={`rounded-panel border-2 border-error px-4.5 py-4 ${className}`}
      role="alert"
      tabIndex={-1}
      ref={summary}
    >
      <h2 className="flex items-center gap-2 font-body font-bold text-title leading-[normal] tracking-normal">
        <Icon path={ALERT} size={22} className="text-error" />
        <span>{title}</span>
      </h2>
      {text && <p>{text}</p>}
      {errors.length > 0 && (
        <ul>
          {errors.map((error) => (
            <li key={error.fieldId}>
              <a
                className="inline-flex min-h-8 items-center font-semibold text-error"
                href={`#${error.fieldId}`}
                onClick={focusField(error.fieldId)}
              >
                {error.text}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
