import type { ComponentProps, ReactNode } from 'react';
import { ALERT, Icon } from './icons.tsx';

interface FieldFrameProps {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** The value has been corrected. The error is hidden but takes the same space, so that the layout does not shift. */
  readonly corrected?: boolean | undefined;
  /** Advice under the control, announced politely. It never blocks the form. Pass '' to reserve its element. */
  readonly advice?: string | undefined;
  /** Whether the advice says that the form will be refused. */
  readonly warns?: boolean;
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

/** The classes of every control in a FieldFrame, without its height and corners. */
export const BARE_CONTROL = 'w-full min-w-0 flex-1 border-0 bg-transparent px-4';

/** The classes of an input in a FieldFrame. */
export const CONTROL = `${BARE_CONTROL} min-h-13 rounded-control`;

interface FieldErrorProps {
  readonly id: string;
  readonly error: string;
  readonly corrected?: boolean | undefined;
}

export const FieldError = ({ id, error, corrected }: FieldErrorProps) => (
  <p
    className={`mt-0.5 flex items-center gap-1.5 font-semibold text-error text-note ${corrected ? 'invisible' : ''}`}
    id={errorId(id)}
  >
    <Icon path={ALERT} size={18} />
    <span>
      <span className="sr-only">Error: </span>
      <span>{error}</span>
    </span>
  </p>
);

/** The label, hint, error and box around a control. `id` must be the id of the control. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, hint, error, corrected, advice, warns, className = '', children } = props;
  return (
    <div className={`self-end ${className}`} data-field>
      <label className="block font-strong" htmlFor={id}>
        {label}
      </label>
      {hint && (
        <p className="text-ink3 text-note" id={hintId(id)}>
          {hint}
        </p>
      )}
      {error && <FieldError id={id} error={error} corrected={corrected} />}
      <div
        className="mt-1.5 flex items-center rounded-input border-[1.5px] border-control bg-canvas data-invalid:border-error data-invalid:[box-shadow:inset_0_0_0_1px_var(--color-error)]"
        data-invalid={Boolean(error && !corrected) || undefined}
      >
        {children}
      </div>
      {advice !== undefined && (
        <p
          className={`text-note ${warns ? 'font-semibold text-error' : 'text-ink3'}`}
          id={adviceId(id)}
          role="status"
        >
          {advice}
        </p>
      )}
    </div>
  );
}

/** A check box with its label beside it. */
export const CheckBox = ({ children, ...input }: ComponentProps<'input'>) => (
  <label className="flex min-h-11 items-center gap-3 font-medium">
    <input {...input} className="size-6 flex-none" type="checkbox" />
    <span>{children}</span>
  </label>
);

/** No field is controlled by React, which would undo what a program fills in. The form reads them (use-form.ts). */
type InputProps = Omit<ComponentProps<'input'>, 'id' | 'value' | 'onChange' | 'children' | 'className'>;

export interface FieldProps extends InputProps, Omit<FieldFrameProps, 'children'> {
  readonly after?: ReactNode;
}

export function Field(props: FieldProps) {
  const { id, label, hint, error, corrected, advice, warns, className, after, ...input } = props;
  const frame = { id, label, hint, error, corrected, advice, className, ...(warns && { warns }) };
  return (
    <FieldFrame {...frame}>
      <input {...input} {...fieldAria(frame)} className={CONTROL} id={id} />
      {after}
    </FieldFrame>
  );
}
