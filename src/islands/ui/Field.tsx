import type { ChangeEvent, ComponentProps, ReactNode } from 'react';
import { AlertIcon } from './icons.tsx';

interface FieldFrameProps {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** The value has been corrected. The error is hidden but takes the same space, so that the layout does not shift. */
  readonly corrected?: boolean | undefined;
  /** Advice under the control, announced politely. It never blocks the form. Pass '' to reserve its element. */
  readonly advice?: string | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

const hintId = (id: string): string => `${id}-hint`;
const errorId = (id: string): string => `${id}-error`;
const adviceId = (id: string): string => `${id}-advice`;

type Texts = Pick<FieldFrameProps, 'id' | 'hint' | 'error' | 'corrected' | 'advice'>;

export const fieldAria = ({ id, hint, error, corrected, advice }: Texts) => {
  const isWrong = error && !corrected;
  const ids = [hint && hintId(id), isWrong && errorId(id), advice && adviceId(id)].filter(Boolean).join(' ');
  return { 'aria-describedby': ids || undefined, 'aria-invalid': isWrong ? true : undefined };
};

interface FieldErrorProps {
  readonly id: string;
  readonly error: string;
  readonly corrected?: boolean | undefined;
}

export const FieldError = ({ id, error, corrected }: FieldErrorProps) => (
  <p className={`field-error ${corrected ? 'field-corrected' : ''}`} id={errorId(id)}>
    <AlertIcon size={18} />
    <span>
      <span className="sr-only">Error: </span>
      {error}
    </span>
  </p>
);

/** The label, hint, error and box around a control. `id` must be the id of the control. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, hint, error, corrected, advice, className = '', children } = props;
  return (
    <div className={`field ${error && !corrected ? 'field-invalid' : ''} ${className}`}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="field-hint" id={hintId(id)}>
          {hint}
        </p>
      )}
      {error && <FieldError id={id} error={error} corrected={corrected} />}
      <div className="input">{children}</div>
      {advice !== undefined && (
        <p className="field-hint" id={adviceId(id)} role="status">
          {advice}
        </p>
      )}
    </div>
  );
}

type InputProps = Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'children' | 'className'>;

export interface FieldProps extends InputProps, Omit<FieldFrameProps, 'children'> {
  /** Not needed if the form reads the input on submit. */
  onText?(text: string): void;
  readonly after?: ReactNode;
}

export function Field(props: FieldProps) {
  const { id, label, hint, error, corrected, advice, className, onText, after, ...input } = props;
  const frame = { id, label, hint, error, corrected, advice, className };
  return (
    <FieldFrame {...frame}>
      <input
        {...input}
        {...fieldAria(frame)}
        id={id}
        {...(onText && { onChange: (event: ChangeEvent<HTMLInputElement>) => onText(event.target.value) })}
      />
      {after}
    </FieldFrame>
  );
}
