import { useEffect, useRef } from 'react';
import { AlertIcon } from './icons.tsx';

export interface FormError {
  /** The id of the field's control. */
  readonly fieldId: string;
  readonly text: string;
}

interface ErrorSummaryProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly errors?: readonly FormError[];
  /** The number of attempts. The summary takes the focus when it changes. */
  readonly attempt: number;
}

/** It is announced, takes the focus, and links to each field with an error. */
export function ErrorSummary({ title, text, errors = [], attempt }: ErrorSummaryProps) {
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
    (field.closest('.field') ?? field).scrollIntoView({ block: 'nearest' });
  };
  return (
    <div className="error-summary" role="alert" tabIndex={-1} ref={summary}>
      <h2>
        <AlertIcon size={22} />
        {title}
      </h2>
      {text && <p>{text}</p>}
      {errors.length > 0 && (
        <ul>
          {errors.map((error) => (
            <li key={error.fieldId}>
              <a href={`#${error.fieldId}`} onClick={focusField(error.fieldId)}>
                {error.text}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
