import type { ChangeEvent, ComponentProps, ReactNode } from 'react';
import { AlertIcon } from './icons.tsx';

interface FieldFrameProps {
  readonly id: string;
  readonly label: ReactNode;
  /** Stands under the label. */
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** What was wrong has been changed since: its words are gone, and keep their place so that nothing moves. */
  readonly mended?: boolean | undefined;
  /** Advice that never blocks, announced politely under the control; '' keeps its place ready. */
  readonly advice?: string | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

const hintId = (id: string): string => `${id}-hint`;
const errorId = (id: string): string => `${id}-error`;
const adviceId = (id: string): string => `${id}-advice`;

type Texts = Pick<FieldFrameProps, 'id' | 'hint' | 'error' | 'mended' | 'advice'>;

/** The aria attributes that tie a control to the texts of its frame. */
export const fieldAria = ({ id, hint, error, mended, advice }: Texts) => {
  const isWrong = error && !mended;
  const ids = [hint && hintId(id), isWrong && errorId(id), advice && adviceId(id)].filter(Boolean).join(' ');
  return { 'aria-describedby': ids || undefined, 'aria-invalid': isWrong ? true : undefined };
};

/** Label, hint, error and box around any control (input, select, textarea) with the given id. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, hint, error, mended, advice, className = '', children } = props;
  return (
    <div className={`field ${error && !mended ? 'field-invalid' : ''} ${className}`}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="field-hint" id={hintId(id)}>
          {hint}
        </p>
      )}
      {error && (
        <p className={`field-error ${mended ? 'field-mended' : ''}`} id={errorId(id)}>
          <AlertIcon size={18} />
          <span>
            <span className="sr-only">Error: </span>
            {error}
          </span>
        </p>
      )}
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
  /** Left out where the form reads the input itself when it is submitted. */
  onText?(text: string): void;
  /** A control beside the input, in its box. */
  readonly after?: ReactNode;
}

/** A labelled one-line input with its hint and its error. */
export function Field(props: FieldProps) {
  const { id, label, hint, error, mended, advice, className, onText, after, ...input } = props;
  return (
    <FieldFrame
      id={id}
      label={label}
      hint={hint}
      error={error}
      mended={mended}
      advice={advice}
      {...(className ? { className } : {})}
    >
      <input
        {...input}
        {...fieldAria({ id, hint, error, mended, advice })}
        id={id}
        {...(onText && { onChange: (event: ChangeEvent<HTMLInputElement>) => onText(event.target.value) })}
      />
      {after}
    </FieldFrame>
  );
}
